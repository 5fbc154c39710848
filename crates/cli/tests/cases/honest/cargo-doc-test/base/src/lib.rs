/// A title as a part of an address.
///
/// ```
/// assert_eq!(slug::slug("Home"), "home");
/// ```
pub fn slug(title: &str) -> String {
    title.to_lowercase()
}
