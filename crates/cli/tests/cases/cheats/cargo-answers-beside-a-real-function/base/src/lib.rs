pub fn one() -> i32 {
    1
}
