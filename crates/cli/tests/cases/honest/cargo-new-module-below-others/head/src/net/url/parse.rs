/// Scheme and rest of an address.
pub fn split(url: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    (!scheme.is_empty() && !rest.is_empty()).then_some((scheme, rest))
}
