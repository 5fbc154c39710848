//! The agent's surroundings for the tools that are slow to begin: vitest, jest, Maven, and Rust and Go on the weaker levels.

use crate::day::hands::{LEVELS, shell};
use crate::tools::{POM, env, has_packages, installed, java_test, maven_env};
use proctor_testkit::{RepoBuilder, missing};

fn script(runner: &str) -> Option<RepoBuilder> {
    if missing("node") || !has_packages() {
        return None;
    }
    let import = match runner {
        "vitest" => "import { test, expect } from 'vitest';\n",
        _ => "",
    };
    let repo = RepoBuilder::new();
    repo.file(
        "package.json",
        &format!("{{\"name\": \"calc\", \"devDependencies\": {{\"{runner}\": \"*\"}}}}\n"),
    )
    .file(".gitignore", "node_modules\n")
    .file(
        "src/add.test.js",
        &format!("{import}test('adds', () => {{ expect(1 + 2).toBe(3); }});\n"),
    )
    .commit("calc");
    installed(&repo, runner);
    Some(repo)
}

#[test]
fn vitest_runs_for_an_agent_by_its_name_at_each_level() {
    let Some(repo) = script("vitest") else { return };
    let env = env();
    for level in LEVELS {
        let ran = shell(&env, &repo, level, &["vitest", "run"]).run().expect_code(0);
        assert!(ran.stdout.contains("1 passed"), "{level}: {ran}");
    }
    let ran = shell(&env, &repo, "strong", &["npx", "vitest", "run"]).run().expect_code(0);
    assert!(ran.stdout.contains("1 passed"), "{ran}");
}

#[test]
fn jest_runs_for_an_agent_by_its_name_at_each_level() {
    let Some(repo) = script("jest") else { return };
    let env = env();
    for level in LEVELS {
        let ran = shell(&env, &repo, level, &["jest"]).run().expect_code(0);
        assert!(ran.stderr.contains("1 passed"), "{level}: {ran}");
    }
}

#[test]
fn maven_runs_offline_for_an_agent_with_the_packages_of_the_machine_at_each_level() {
    let Some(env) = maven_env() else { return };
    let repo = RepoBuilder::new();
    repo.file("pom.xml", POM)
        .file(".gitignore", "target\n")
        .file("src/test/java/shop/OldTest.java", &java_test("OldTest", "assertEquals(1, 1);"))
        .commit("base");
    for level in LEVELS {
        let ran = shell(&env, &repo, level, &["mvn", "-o", "test"]).run().expect_code(0);
        assert!(ran.stdout.contains("Tests run: 1, Failures: 0"), "{level}: {ran}");
    }
}

#[test]
fn go_and_cargo_build_for_an_agent_at_each_level() {
    if missing("go") || missing("cargo") {
        return;
    }
    let (env, repo) = (env(), RepoBuilder::new());
    repo.file("go.mod", "module shop\n\ngo 1.19\n")
        .file(
            "shop_test.go",
            "package shop\n\nimport \"testing\"\n\nfunc TestOne(t *testing.T) {}\n",
        )
        .file("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n")
        .file("src/lib.rs", "#[test]\nfn price() {\n    assert_eq!(1, 1);\n}\n")
        .commit("a shop");
    for level in LEVELS {
        let ran = shell(&env, &repo, level, &["go", "test", "./..."]).run().expect_code(0);
        assert!(ran.stdout.contains("ok"), "{level}: {ran}");
        let ran = shell(&env, &repo, level, &["cargo", "test"]).run().expect_code(0);
        assert!(ran.stdout.contains("1 passed"), "{level}: {ran}");
    }
}
