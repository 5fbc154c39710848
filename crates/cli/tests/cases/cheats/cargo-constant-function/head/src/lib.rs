pub fn add(a: i64, b: i64) -> i64 {
    a + b
}

pub fn subtract(_a: i64, _b: i64) -> i64 {
    7
}
