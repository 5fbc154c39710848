//! What the errors of Go's compiler and loader mean, with each Go that is there.

use crate::go_stage::each;
use proctor_core::report::{CollectError, Owner, Reason, RunEnd};
use proctor_core::words::TestId;

const SHOP: &str = "package shop
type Cart struct{ n int }
type Store interface { Get() int }
func Add(a, b int) int { return a - b }
func (c *Cart) Total(x int) int { return x }
";

/// The errors of each Go. A package beside it always runs.
fn errors(files: &[(&str, &str)]) -> Vec<Vec<CollectError>> {
    let mut all =
        vec![("ok/ok_test.go", "package ok\nimport \"testing\"\nfunc TestOk(t *testing.T) {}\n")];
    all.extend_from_slice(files);
    let mut found = Vec::new();
    for mut stage in each(&all) {
        let report = stage.run();
        assert!(report.passed(&TestId::new("example.com/demo/ok TestOk")), "{:?}", report.end);
        match report.end {
            RunEnd::CollectFailed { errors } => found.push(errors),
            other => panic!("{other:?}"),
        }
    }
    found
}

fn told(errors: &[CollectError]) -> Vec<String> {
    let line = |e: &CollectError| match &e.reason {
        Reason::Missing { name, owner, .. } => format!("{} {name} {owner:?}", e.place),
        other => format!("{} {}", e.place, other.message().lines().next().unwrap_or("")),
    };
    errors.iter().map(line).collect()
}

fn missing(errors: &[CollectError], wanted: &[(&str, Owner)]) {
    let told = told(errors);
    for (name, owner) in wanted {
        let end = format!(" {name} {owner:?}");
        assert!(told.iter().any(|t| t.ends_with(&end)), "{name} {owner:?} not in {told:#?}");
    }
}

#[test]
fn names_have_their_owner_in_a_test_outside_the_package() {
    let test = "package shop_test
import (\"testing\"; \"strings\"; \"example.com/demo/shop\")
type mine struct{}
func TestX(t *testing.T) {
	var c shop.Cart
	c.Foo()
	shop.Nope()
	_ = shop.Cart{Bar: 1}
	shop.Add(1)
	c.Total(1, 2)
	strings.Frob()
	bare()
	_ = undef
	c.n = 2
	var s shop.Store = mine{}
	mine{}.x()
	var k shop.Kind
	s.Zap(k)
	\"a\".y()
	t.Frob()
	shop.nope()
	Upper()
}
";
    for errors in errors(&[("shop/shop.go", SHOP), ("shop/shop_test.go", test)]) {
        missing(
            &errors,
            &[
                ("shop.Cart.Foo", Owner::Project),
                ("shop.Nope", Owner::Project),
                ("shop.Cart.Bar", Owner::Project),
                ("shop.Add", Owner::Project),
                ("c.Total", Owner::Project),
                ("strings.Frob", Owner::Elsewhere),
                ("bare", Owner::TestItself),
                ("undef", Owner::TestItself),
                ("mine.Get", Owner::TestItself),
                ("mine.x", Owner::TestItself),
                ("shop.Kind", Owner::Project),
                ("shop.Store.Zap", Owner::Project),
                ("string.y", Owner::Elsewhere),
                ("testing.T.Frob", Owner::Elsewhere),
                ("shop.nope", Owner::TestItself),
                ("Upper", Owner::TestItself),
            ],
        );
        assert!(errors.iter().any(|e| e.place.to_string() == "shop/shop_test.go:6"));
        assert!(errors.len() > 14, "all errors are wanted: {}", errors.len());
    }
}

#[test]
fn names_have_their_owner_in_a_test_inside_the_package() {
    let test = "package shop
import \"testing\"
type mine struct{}
func TestX(t *testing.T) {
	slugify(\"a\")
	Slugify(\"a\")
	_ = MaxItems
	_ = undef
	mustRun(t, 1)
	var b basket
	_ = b
	c := &Cart{}
	c.count()
	mine{}.x()
	help(1)
	Add(1)
}
func help() {}
";
    for errors in errors(&[("shop/shop.go", SHOP), ("shop/shop_test.go", test)]) {
        missing(
            &errors,
            &[
                ("slugify", Owner::Project),
                ("Slugify", Owner::Project),
                ("MaxItems", Owner::Project),
                ("undef", Owner::TestItself),
                ("mustRun", Owner::TestItself),
                ("basket", Owner::Project),
                ("Cart.count", Owner::Project),
                ("mine.x", Owner::TestItself),
                ("help", Owner::TestItself),
                ("Add", Owner::Project),
            ],
        );
    }
}

#[test]
fn packages_that_are_not_there_have_their_owner() {
    let test = "package b\nimport (\"testing\"; \"example.com/demo/nope\"; \"github.com/x/y\"; \"fmtt\")\nfunc TestX(t *testing.T) { nope.X(); y.Z(); fmtt.A() }\n";
    for errors in errors(&[("b/b_test.go", test)]) {
        missing(
            &errors,
            &[
                ("example.com/demo/nope", Owner::Project),
                ("github.com/x/y", Owner::Elsewhere),
                ("fmtt", Owner::Elsewhere),
            ],
        );
        assert!(errors.iter().all(|e| e.place.to_string() == "b/b_test.go:2"), "{errors:?}");
    }
}

#[test]
fn other_errors_are_no_missing_names() {
    let cases: [&[(&str, &str)]; 4] = [
        &[("c/c_test.go", "package c\nimport \"testing\"\nfunc TestX(t *testing.T) {\n")],
        &[
            ("d/d.go", "package d\nfunc F() int { return \"\" }\n"),
            ("d/d_test.go", "package d\nimport \"testing\"\nfunc TestX(t *testing.T) { F() }\n"),
        ],
        // What vet says fails a package as a compiler's error does.
        &[(
            "e/e_test.go",
            "package e\nimport \"testing\"\nfunc TestX(t *testing.T) { t.Errorf(\"%d\", \"x\") }\n",
        )],
        &[
            ("f/f.go", "package f\nimport \"example.com/demo/f/g\"\nvar X = g.X\n"),
            ("f/g/g.go", "package g\nimport \"example.com/demo/f\"\nvar X = f.X\n"),
            ("f/f_test.go", "package f\nimport \"testing\"\nfunc TestX(t *testing.T) {}\n"),
        ],
    ];
    for files in cases {
        for errors in errors(files) {
            assert!(
                !errors.is_empty()
                    && errors.iter().all(|e| matches!(e.reason, Reason::Other { .. })),
                "{errors:?}"
            );
            let folder = files[0].0.split('/').next().unwrap();
            assert!(errors[0].place.file.starts_with(folder), "{errors:?}");
        }
    }
}

#[test]
fn a_manifest_that_go_can_not_read_is_named() {
    for mut stage in
        each(&[("go.mod", "module example.com/demo\nfoo bar\n"), ("a_test.go", "package a\n")])
    {
        let RunEnd::CollectFailed { errors } = stage.run().end else { panic!() };
        assert_eq!(errors[0].place.to_string(), "go.mod:2");
    }
}

#[cfg(test)]
mod slow {
    use super::*;

    #[test]
    fn a_package_without_code_yet_is_the_projects_to_write() {
        let test = "package slug_test\nimport (\"testing\"; \"example.com/demo/slug\")\nfunc TestX(t *testing.T) { slug.Of(1) }\n";
        for errors in errors(&[("slug/slug_test.go", test)]) {
            missing(&errors, &[("example.com/demo/slug", Owner::Project)]);
            assert_eq!(errors[0].place.file, "slug/slug_test.go");
        }
    }

    #[test]
    fn a_module_that_is_not_downloaded_is_no_missing_name() {
        for errors in errors(&[
            (
                "go.mod",
                "module example.com/demo\n\ngo 1.19\n\nrequire github.com/pkg/errors v0.9.1\n",
            ),
            (
                "x/x_test.go",
                "package x\nimport (\"testing\"; \"github.com/pkg/errors\")\nfunc TestX(t *testing.T) { errors.New(\"\") }\n",
            ),
        ]) {
            let told = told(&errors);
            assert!(told.iter().all(|t| t.contains("go.sum")), "{told:?}");
        }
    }
}
