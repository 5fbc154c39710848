pub fn largest(a: i32, b: i32) -> i32 {
    if a > b {
        a
    } else {
        b
    }
}
