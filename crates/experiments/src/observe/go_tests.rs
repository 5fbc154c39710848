//! What observing tests of Go look like.

use super::super::{HELPER, Helping, Sample, helpers, observing, observing_with, put, span};
use super::*;

fn made(text: &str, line: u32, copies: usize) -> String {
    let samples = [Sample { number: 3, line, copies: vec![Vec::new(); copies] }];
    observing("shop/a_test.go", text, &samples, &Channel("c1".into())).unwrap().text
}

fn body(text: &str) -> String {
    let whole = format!("package shop\n\nfunc TestNet(t *testing.T) {{\n{text}}}\n");
    made(&whole, 3, 1)
}

#[test]
fn a_go_test_stands_there_once_a_copy_with_its_conditions_recorded() {
    let text = "package shop\n\nvar a = 1 // one\n\n// TestNet is a test.\n// It has two lines.\nfunc TestNet(t *testing.T) {\n\tt.Parallel()\n\tgot, err := Net(200, 10)\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\tif got != 180 {\n\t\tt.Errorf(\"Net = %d\", got)\n\t}\n}\n\nfunc TestOther(t *testing.T) {}\n";
    insta::assert_snapshot!(made(text, 7, 2));
}

#[test]
fn conditions_tell_their_operands_and_ask_nothing_twice() {
    let text = "\tif got := f(3); got != want {\n\t\tt.Error()\n\t}\n\tif !reflect.DeepEqual(f(\"a\"), want) {\n\t\tt.Error()\n\t}\n\tif f(x) != 4 || 5 < g(y) && ok {\n\t\tt.Error()\n\t}\n\tif s := f(); !strings.Contains(s, \"abc\") {\n\t\tt.Error()\n\t}\n\tif len(got) == 3 {\n\t\tok = true\n\t} else {\n\t\tt.Fail()\n\t}\n\tif f() != Most+1 {\n\t\tt.FailNow()\n\t}\n\tif want != f() {\n\t\tt.FailNow()\n\t}\n\tif f(x).Equal(g(y)) {\n\t\tt.FailNow()\n\t}\n\tif <-ch != 18446744073709551615 {\n\t\tt.FailNow()\n\t}\n\tif ok {\n\t\treturn\n\t}\n\tif err != nil {\n\t\tif !wants {\n\t\t\tt.Fatal(err)\n\t\t}\n\t\treturn\n\t}\n";
    insta::assert_snapshot!(body(text));
}

#[test]
fn subtests_and_what_runs_apart_are_guarded() {
    let text = "\tfor _, tt := range []struct{ in string }{{\"a\"}} {\n\t\tt.Run(tt.in, func(t *testing.T) {\n\t\t\tt.Parallel()\n\t\t\tif f(tt.in) {\n\t\t\t\tt.Fatalf(\"no %s\", tt.in)\n\t\t\t}\n\t\t})\n\t\tt.Run(\"b\", func(*testing.T) {})\n\t\tt.Run(\"c\", other)\n\t}\n\tgo func() {\n\t\tt.Errorf(format, args...)\n\t}()\n\tt.Cleanup(func() { f() })\n\tdefer func() {\n\t\tif recover() == nil {\n\t\t\tt.Error(\"no\")\n\t\t}\n\t}()\n\tswitch {\n\tcase got == 1, f(2):\n\t\tt.Fatal(1)\n\tdefault:\n\t\tt.Fatal(2)\n\t}\n\tswitch got {\n\tcase 1:\n\tdefault:\n\t\tt.Fatal(2)\n\t}\n";
    insta::assert_snapshot!(body(text));
}

#[test]
fn checks_tell_what_they_are_given() {
    let text = "package shop\n\nimport (\n\t\"github.com/stretchr/testify/assert\"\n\tmust \"github.com/stretchr/testify/require\"\n)\n\nfunc TestNet(t *testing.T) {\n\tassert.Equal(t, 180, Net(200, 10), \"no\")\n\tmust.NoError(t, err)\n\tif !assert.True(t, ok) {\n\t\treturn\n\t}\n\tis := assert.New(t)\n\tis.Len(got, 3)\n\tis.Equal(f())\n\tcheckNet(t, Net(1, 2), want)\n\tsetUp(t, 1)\n}\n";
    insta::assert_snapshot!(made(text, 8, 1));
}

#[test]
fn a_method_of_a_suite_is_a_test_too() {
    let text = "package shop\n\nfunc (s *Shop) TestNet() {\n\ts.Equal(180, Net(200, 10))\n\ts.Require().NoError(err)\n\ts.T().Parallel()\n\ts.Run(\"a\", func() { s.T().Fatal(1) })\n\ts.fill(1)\n}\n";
    insta::assert_snapshot!(made(text, 3, 1));
}

#[test]
fn what_is_no_test_has_no_span() {
    for function in [
        "func BenchmarkA(b *testing.B) {}",
        "func TestMain(m *testing.M) {}",
        "func FuzzA(f *testing.F) {}",
        "func ExampleA() {}",
        "func Testing(t *testing.T) {}",
        "func TestA(t *testing.T, a int) {}",
        "func (Shop) TestA() {}",
    ] {
        assert_eq!(span("a_test.go", &format!("package a\n\n{function}\n"), 3), None, "{function}");
    }
}

#[test]
fn other_literals_stand_where_the_literals_stood() {
    let text = "package shop\n\nfunc TestNet(t *testing.T) {\n\tif got := Net(200); got != 180 {\n\t\tt.Error()\n\t}\n\tif Net(1) != 2 {\n\t\tt.Error()\n\t}\n}\n";
    let span = span("a_test.go", text, 3).unwrap();
    let whole = &text[span];
    let edit = |was: &str, now: &str| {
        let at = whole.find(was).unwrap();
        put(at, at + was.len(), now)
    };
    let copies = vec![vec![edit("200", "201"), edit("180", "181"), edit("2 {", "3 {")]];
    let samples = [Sample { number: 0, line: 3, copies }];
    let made = observing("a_test.go", text, &samples, &Channel("c1".into())).unwrap();
    assert!(made.text.contains("got := Net(201);"), "{}", made.text);
    assert!(made.text.contains("const obA1 = 181;"), "{}", made.text);
    assert!(made.text.contains("const obA1 = 3 {"), "{}", made.text);
}

#[test]
fn each_package_of_a_folder_has_its_channel_in_a_file_of_its_own() {
    let names: Vec<String> = ["linux", "linux_test"]
        .iter()
        .flat_map(|package| {
            let text = format!("package {package}\n\nfunc TestA(t *testing.T) {{}}\n");
            let samples = [Sample { number: 0, line: 3, copies: vec![Vec::new()] }];
            let made = observing("x/a_test.go", &text, &samples, &Channel("c-1".into())).unwrap();
            assert_eq!(made.lines.len(), 1);
            made.beside.into_keys()
        })
        .collect();
    assert_eq!(names, ["x/ob_linux_oc1_test.go", "x/ob_linux_test_oc1_test.go"]);
}

#[test]
fn functions_that_are_given_a_testing_value_tell_what_they_see() {
    let test = "package shop\n\nfunc TestNet(t *testing.T) {\n\tcheckNet(t, 200, 180)\n\tcheckOther(t, 1)\n}\n\nfunc checkNet(t *testing.T, gross, want int) {\n\tif got := Net(gross); got != want {\n\t\tt.Errorf(\"no\")\n\t}\n}\n";
    let beside = "package shop\n\nfunc checkOther(t testing.TB, n int) {\n\tif n > 2 {\n\t\tt.Fatal(n)\n\t}\n}\n\nfunc given(t *testing.T) int { return 3 }\n";
    let files = BTreeMap::from([
        ("shop/a_test.go".to_owned(), test.to_owned()),
        ("shop/b_test.go".to_owned(), beside.to_owned()),
    ]);
    let samples = [Sample { number: 3, line: 3, copies: vec![Vec::new()] }];
    let channel = Channel("c1".into());
    let left_out = std::collections::BTreeSet::new();
    let helping = Helping { files: &files, left_out: &left_out };
    let made = observing_with("shop/a_test.go", test, &samples, (&channel, &helping)).unwrap();
    let copy = &made.text[made.text.find("TestNet__o0").unwrap()..];
    assert!(copy.contains("\tcheckNet(t, 200, 180)\n\tcheckOther(t, 1)\n"), "{copy}");
    assert!(made.text.contains("obT, obV := obOf(t); _, _ = obT, obV;"), "{}", made.text);
    assert!(made.text.contains("obIf(obT, obV, 10000, 0, "), "{}", made.text);
    let helper = made.lines.iter().find(|(_, sample, _)| *sample == HELPER).unwrap();
    assert_eq!((helper.0.end - helper.0.start, helper.2), (5, 10_000));
    let other = helpers("shop/b_test.go", beside, (&channel, &helping)).unwrap();
    assert!(other.text.contains("obIf(obT, obV, 11000, 0, "), "{}", other.text);
    assert!(other.text.contains("func given(t *testing.T) int { return 3 }"), "{}", other.text);
    // What the language does not take is left as it is, and seen by how it ends.
    let left_out = std::collections::BTreeSet::from([10_000]);
    let helping = Helping { files: &files, left_out: &left_out };
    let made = observing_with("shop/a_test.go", test, &samples, (&channel, &helping)).unwrap();
    assert!(!made.text.contains("obOf("), "{}", made.text);
    assert!(made.text.contains("obSub(3, 0, 0, t, "), "{}", made.text);
}
