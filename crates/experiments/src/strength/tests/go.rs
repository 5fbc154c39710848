use super::*;

#[test]
fn a_weaker_go_test_is_named() {
    let go = |before: &str, after: &str, wanted: &str| {
        let whole = |body: &str| format!("package a\nfunc TestA(t *testing.T) {{\n{body}\n}}\n");
        table("a_test.go", &[(&whole(before), &whole(after), wanted)]);
    };
    let equal = "if got := F(2); got != 4 {\nt.Errorf(\"got %d\", got)\n}";
    go(equal, "F(2)", "is gone");
    go(equal, "if F(2) == 0 {\nt.Error(\"zero\")\n}", "a difference");
    go(equal, "if got := F(2); got < 0 {\nt.Error(\"low\")\n}", "an order");
    go(
        equal,
        "t.Skip(\"later\")\nif got := F(2); got != 4 {\nt.Errorf(\"got %d\", got)\n}",
        "now marked",
    );
    go(
        equal,
        "if os.Getenv(\"X\") == \"\" {\nreturn\n}\nif got := F(2); got != 4 {\nt.Errorf(\"got %d\", got)\n}",
        "way out",
    );
    go(
        equal,
        "if testing.Short() {\nif got := F(2); got != 4 {\nt.Errorf(\"got %d\", got)\n}\n}",
        "one branch",
    );
    go(equal, "if got := F(2); got != F(2) {\nt.Errorf(\"got %d\", got)\n}", "holds whatever");
    go("assert.Equal(t, 4, F(2))", "assert.NotNil(t, F(2))", "being there");
    go("assert.InDelta(t, 4, F(2), 0.1)", "assert.InDelta(t, 4, F(2), 2)", "tolerance");
    go("require.ErrorIs(t, F(2), ErrBad)", "require.Error(t, F(2))", "the message");
    let rows = |rows: &str| {
        format!(
            "tests := []struct{{ in, want int }}{{\n{rows}\n}}\nfor _, tc := range tests {{\nt.Run(\"x\", func(t *testing.T) {{\nif got := F(tc.in); got != tc.want {{\nt.Error(got)\n}}\n}})\n}}"
        )
    };
    go(&rows("{1, 1},\n{2, 4},"), &rows("{1, 1},"), "the case `{ 2 , 4 }` is gone");
    go(
        "for i := 0; i < 100; i++ {\nif F(i) != i {\nt.Error(i)\n}\n}",
        "for i := 0; i < 3; i++ {\nif F(i) != i {\nt.Error(i)\n}\n}",
        "a loop now ends at 3",
    );
}

#[test]
fn an_honest_rewrite_of_a_go_test_is_fine() {
    let go = |before: &str, after: &str| {
        let whole = |body: &str| format!("package a\nfunc TestA(t *testing.T) {{\n{body}\n}}\n");
        table("a_test.go", &[(&whole(before), &whole(after), "")]);
    };
    let equal = "if got := F(2); got != 4 {\nt.Errorf(\"got %d\", got)\n}";
    go(equal, "got := F(2)\nwant := 4\nif got != want {\nt.Fatalf(\"got %d\", got)\n}");
    go(equal, "assert.Equal(t, 4, F(2))");
    go(equal, "if got := F(2); got != 5 {\nt.Errorf(\"got %d\", got)\n}");
    go(
        equal,
        "for _, tc := range []struct{ in, want int }{{2, 4}, {3, 9}} {\nif got := F(tc.in); got != tc.want {\nt.Error(got)\n}\n}",
    );
    go(
        "if !reflect.DeepEqual(F(2), []int{4}) {\nt.Error(1)\n}",
        "if diff := cmp.Diff([]int{4}, F(2)); diff != \"\" {\nt.Error(diff)\n}",
    );
    go(
        "got, err := F(2)\nif err != nil {\nt.Fatal(err)\n}\nif got != 4 {\nt.Error(got)\n}",
        "got, err := F(2)\nrequire.NoError(t, err)\nrequire.Equal(t, 4, got)",
    );
    go(
        "tests := []int{1, 2}\nfor _, n := range tests {\nif F(n) != n {\nt.Error(n)\n}\n}",
        "tests := []int{2, 3}\nfor _, n := range tests {\nif F(n) != n {\nt.Error(n)\n}\n}",
    );
}

#[test]
fn a_java_test_is_compared_too() {
    let java = |body: &str| format!("class A {{\n  @Test\n  void a() {{ {body} }}\n}}\n");
    let told = |before: &str, after: &str| {
        weakened(("A.java", &java(before), 3), ("A.java", &java(after), 3))
    };
    assert!(told("assertEquals(4, f(2));", "assertNotNull(f(2));")[0].contains("being there"));
    assert!(told("assertEquals(4, f(2));", "f(2);")[0].contains("is gone"));
    assert_eq!(
        told("assertEquals(4, f(2));", "int r = f(2); assertEquals(5, r);"),
        Vec::<String>::new()
    );
}
