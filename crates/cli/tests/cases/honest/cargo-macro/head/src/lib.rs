pub fn largest(a: i32, b: i32) -> i32 {
    if a > b {
        a
    } else {
        b
    }
}

#[macro_export]
macro_rules! largest {
    ($only:expr) => { $only };
    ($first:expr, $($rest:expr),+) => { $crate::largest($first, $crate::largest!($($rest),+)) };
}
