#[test]
fn collatz() {
    for (n, want) in [(6, 8), (7, 16), (12, 9), (27, 111)] {
        assert_eq!(x::steps(n), want, "{n}");
    }
}
