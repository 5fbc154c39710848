//! Patterns of paths, as manifests write them.

/// Whether a pattern fits a path: `*` within one part, `**` over any number of them, `?` for one letter.
pub(super) fn fits(pattern: &str, path: &str) -> bool {
    let pattern: Vec<&str> = pattern.trim_matches('/').split('/').collect();
    let path: Vec<&str> = path.split('/').collect();
    parts(&pattern, &path)
}

fn parts(pattern: &[&str], path: &[&str]) -> bool {
    match (pattern.split_first(), path.split_first()) {
        (None, None) => true,
        (Some((&"**", rest)), _) => {
            parts(rest, path) || path.split_first().is_some_and(|(_, below)| parts(pattern, below))
        }
        (Some((one, rest)), Some((name, below))) => {
            part(one.as_bytes(), name.as_bytes()) && parts(rest, below)
        }
        _ => false,
    }
}

/// The same of one part.
pub(super) fn part(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) => {
            part(rest, name) || name.split_first().is_some_and(|(_, below)| part(pattern, below))
        }
        (Some((b'?', rest)), Some((_, below))) => part(rest, below),
        (Some((one, rest)), Some((letter, below))) => one == letter && part(rest, below),
        _ => false,
    }
}

/// The same as ignore files and package lists mean it: a pattern without a folder fits at any depth, one with fits from the
/// root, and what fits a folder fits all that is in it.
pub(super) fn fits_below(pattern: &str, path: &str) -> bool {
    let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
    let rooted = pattern.starts_with('/') || pattern.trim_matches('/').contains('/');
    let pattern = pattern.trim_start_matches('/');
    let ways = [pattern.to_owned(), format!("{pattern}/**")];
    ways.iter().any(|way| fits(way, path) || !rooted && fits(&format!("**/{way}"), path))
}
