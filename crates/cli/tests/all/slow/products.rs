//! Build products that test runs share, from outside: what a change writes into them must not reach its base.

use proctor_testkit::{RepoBuilder, TestEnv, missing};
use serde_json::Value;

const CODE: &str = "package calc\n\nfunc Clamp(n, low int) int {\n\treturn n\n}\n";
const FIXED: &str = "package calc\n\nfunc Clamp(n, low int) int {\n\tif n < low {\n\t\treturn low\n\t}\n\treturn n\n}\n";
/// A test of the user's own that fails where somebody has written into the products.
const OLD: &str = r#"package calc

import (
	"os"
	"testing"
)

func TestAtPeace(t *testing.T) {
	if _, err := os.Stat(os.Getenv("GOCACHE") + "/poison"); err == nil {
		t.Fatal("disturbed")
	}
}
"#;
/// Runs after it, and leaves something for the next run; also where the user's own products are kept.
const NEW: &str = r#"package calc

import (
	"os"
	"path/filepath"
	"testing"
)

func TestLow(t *testing.T) {
	if got := Clamp(1, 3); got != 3 {
		t.Fatalf("got %d", got)
	}
	cache := os.Getenv("GOCACHE")
	os.WriteFile(filepath.Join(cache, "poison"), nil, 0o644)
	gate := filepath.Dir(filepath.Dir(cache))
	for _, folder := range []string{"cache-0", "own-0"} {
		os.MkdirAll(filepath.Join(gate, folder, "go-build"), 0o755)
		os.WriteFile(filepath.Join(gate, folder, "go-build", "poison"), nil, 0o644)
	}
}
"#;

#[test]
fn what_a_change_writes_into_the_products_does_not_make_its_base_look_unsteady() {
    if missing("go") {
        return;
    }
    let repo = RepoBuilder::new();
    repo.file("go.mod", "module example.com/calc\n\ngo 1.19\n")
        .file("calc.go", CODE)
        .file("a_test.go", OLD)
        .commit("base");
    repo.git(&["checkout", "--quiet", "-b", "work"]);
    repo.file("calc.go", FIXED).file("b_test.go", NEW).commit("fix");
    let env = TestEnv::new(env!("CARGO_BIN_EXE_proctor"));
    let args = ["verify", "--base", "main", "--head", "work", "--format", "json"];
    let ran = env.proctor(repo.path(), &[&args[..], &["--only", "green", "regression"]].concat());
    let told: Value =
        serde_json::from_str(&ran.stdout).unwrap_or_else(|why| panic!("{why}: {ran:?}"));
    let checks = told["checks"].as_array().unwrap();
    let regression = checks.iter().find(|check| check["name"] == "regression").unwrap();
    assert_eq!(regression["status"], "fail", "{told:#}");
}
