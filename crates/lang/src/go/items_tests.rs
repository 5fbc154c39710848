use super::*;
use crate::tree::MemoryTree;

fn found(files: &[(&str, &str)]) -> Vec<TestItem> {
    let mut tree: MemoryTree = files.iter().copied().collect();
    tree.0.entry("go.mod".to_owned()).or_insert_with(|| b"module example.com/shop\n".to_vec());
    let paths: Vec<String> = files.iter().map(|(p, _)| (*p).to_owned()).collect();
    items(&tree, &paths)
}

/// The shape of the one test with this body.
fn shape(body: &str) -> Shape {
    let rest = "func holds(t *testing.T, x int) { t.Helper(); if x != 1 { t.Fatal(x) } }\n\
                func outer(t testing.TB, x int) { inner(t, x) }\nfunc inner(t testing.TB, x int) { if x > 1 { t.Error() } }\n\
                func logs(t *testing.T) { t.Log(1) }\nfunc sub(t *testing.T) { t.Fail() }\n";
    let source = format!(
        "package cart\nimport \"testing\"\n{rest}func TestOne(t *testing.T) {{\n{body}\n}}\n"
    );
    found(&[("cart/a_test.go", &source)])[0].shape
}

#[test]
fn ids_are_import_path_and_name() {
    let source = "package cart\nimport \"testing\"\n\
        func TestA(t *testing.T) { t.Error() }\nfunc Test(t *testing.T) {}\nfunc Test_b(x *T) {}\nfunc Testing(t *testing.T) {}\n\
        func TestMain(m *testing.M) {}\nfunc TestTwo(t *testing.T, x int) {}\nfunc BenchmarkA(b *testing.B) {}\n\
        func FuzzA(f *testing.F) {}\nfunc TestGeneric[T any](t *testing.T) {}\n\
        func ExampleA() {\n\tprintln(1)\n\t// Output: 1\n}\nfunc ExampleB() { println(1) }\n\
        func ExampleC() {\n\t// Unordered output:\n\t// a\n\t// b\n}\nfunc ExampleD() {\n\t// Output: 1\n\n\t// more\n}\n";
    let items = found(&[
        ("cart/price/a_test.go", source),
        ("cart/b.go", "package cart\nfunc TestX() {}\n"),
    ]);
    let ids: Vec<&str> = items.iter().map(|i| i.id.as_str()).collect();
    let wanted = ["TestA", "Test", "Test_b", "FuzzA", "ExampleA", "ExampleC"]
        .map(|name| format!("example.com/shop/cart/price {name}"));
    assert_eq!(ids, wanted);
    assert_eq!(items[0].place.to_string(), "cart/price/a_test.go:3");
    assert_eq!(items[4].shape, Shape::Sound);
}

#[test]
fn samples_and_copies_are_no_tests() {
    let source = "package a\nimport \"testing\"\nfunc TestA(t *testing.T) { t.Error() }\n";
    assert!(found(&[("testdata/a_test.go", source), ("vendor/x/a_test.go", source)]).is_empty());
    let nested =
        found(&[("tools/a_test.go", source), ("tools/go.mod", "module example.com/tools\n")]);
    assert_eq!(nested[0].id.as_str(), "example.com/tools TestA");
}

#[test]
fn a_test_that_can_fail_is_sound() {
    for body in [
        "if add(1, 2) != 3 { t.Errorf(\"no\") }",
        "assert.Equal(t, 3, add(1, 2))",
        "require.NoError(t, run())",
        "is := assert.New(t)\nis.Equal(3, add(1, 2))",
        "holds(t, add(1, 0))",
        "outer(t, add(1, 0))",
        "for _, c := range cases { t.Run(c.name, func(t *testing.T) { if c.want != 1 { t.Fatal() } }) }",
        "t.Run(\"x\", sub)",
        "tc.check(t, 1)",
        "defer func() { if recover() == nil { t.Error(\"no panic\") } }()\nbreaks()",
        "if ok() { return }\nt.Fatal(\"not ok\")",
        "if add(1, 1) != 2 { panic(\"no\") }",
    ] {
        assert_eq!(shape(body), Shape::Sound, "{body}");
    }
}

#[test]
fn a_test_that_can_not_fail_checks_nothing() {
    for body in [
        "",
        "add(1, 2)",
        "t.Log(add(1, 2))",
        "logs(t)",
        "assert.True(t, true)",
        "assert.Equal(t, 1, 1)",
        "is := assert.New(t)\n_ = is",
        "if false { t.Error(1) }",
        "t.Run(\"x\", func(t *testing.T) { add(1, 2) })",
        "t.Run(\"x\", logs)",
    ] {
        assert_eq!(shape(body), Shape::NoAssertion, "{body}");
    }
}

#[test]
fn a_test_that_always_fails_or_skips_is_told() {
    for body in [
        "t.Fatal(\"todo\")",
        "t.Fail()",
        "add(1, 2)\npanic(\"todo\")",
        "assert.True(t, false)",
        "require.Fail(t, \"todo\")",
        "if true { t.Error(1) }",
    ] {
        assert_eq!(shape(body), Shape::ConstantFailure, "{body}");
    }
    for body in ["t.Skip(\"later\")\nholds(t, 1)", "t.SkipNow()"] {
        assert_eq!(shape(body), Shape::Skipped, "{body}");
    }
    assert_eq!(shape("if testing.Short() { t.Skip() }\nholds(t, 1)"), Shape::Sound);
}

#[test]
fn helpers_of_other_test_files_count() {
    let helper = "package cart\nimport \"testing\"\nfunc same(t *testing.T, a, b int) { if a != b { t.Fatal(a) } }\n";
    let test =
        "package cart\nimport \"testing\"\nfunc TestA(t *testing.T) { same(t, 1, add(1, 0)) }\n";
    assert_eq!(
        found(&[("cart/a_test.go", test), ("cart/help_test.go", helper)])[0].shape,
        Shape::Sound
    );
}

#[test]
fn methods_of_a_suite_are_items() {
    let source = "package cart\nimport (\"testing\"; \"github.com/stretchr/testify/suite\")\n\
        type CartSuite struct { suite.Suite }\nfunc TestCart(t *testing.T) { suite.Run(t, new(CartSuite)) }\n\
        func (s *CartSuite) SetupTest() {}\nfunc (s *CartSuite) TestAdds() { s.Equal(3, add(1, 2)) }\n\
        func (s *CartSuite) TestNothing() { add(1, 2) }\nfunc (s *Other) TestNot() {}\n\
        func (s *CartSuite) TestRequires() { s.Require().NoError(run()) }\n";
    let items = found(&[("cart/a_test.go", source)]);
    let told: Vec<String> = items.iter().map(|i| format!("{} {:?}", i.id, i.shape)).collect();
    assert_eq!(
        told,
        [
            "example.com/shop/cart TestCart Sound",
            "example.com/shop/cart TestCart/TestAdds Sound",
            "example.com/shop/cart TestCart/TestNothing NoAssertion",
            "example.com/shop/cart TestCart/TestRequires Sound",
        ]
    );
}
