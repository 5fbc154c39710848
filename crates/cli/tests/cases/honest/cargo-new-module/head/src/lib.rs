mod slug;

pub use slug::slug;

pub fn one() -> i32 {
    1
}
