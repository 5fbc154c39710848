/// A title as a part of an address.
///
/// ```
/// assert_eq!(slug::slug("Home"), "home");
/// assert_eq!(slug::slug("Green  Tea"), "green-tea");
/// ```
pub fn slug(title: &str) -> String {
    title.to_lowercase().split_whitespace().collect::<Vec<_>>().join("-")
}
