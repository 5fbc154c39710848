//! Patterns of file names as `node --test` takes them: `*`, `**`, `?`, `{a,b}`. Knows no file system.

/// Whether a path relative to the workdir fits a pattern, is the named file, or lies in the named folder.
pub(crate) fn fits(pattern: &str, path: &str) -> bool {
    let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
    if !pattern.contains(['*', '?', '{']) {
        return path == pattern
            || pattern.is_empty()
            || path.strip_prefix(pattern).is_some_and(|rest| rest.starts_with('/'));
    }
    spread(pattern).iter().any(|one| {
        let parts: Vec<&str> = one.split('/').collect();
        let names: Vec<&str> = path.split('/').collect();
        folders(&parts, &names)
    })
}

/// Whether a pattern that this path fits names a folder above it.
pub(crate) fn is_folder(pattern: &str, path: &str) -> bool {
    let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
    !pattern.contains(['*', '?', '{']) && path != pattern
}

/// `a{b,c}` as `ab` and `ac`.
fn spread(pattern: &str) -> Vec<String> {
    let Some((before, rest)) = pattern.split_once('{') else {
        return vec![pattern.to_owned()];
    };
    let Some((choices, after)) = rest.split_once('}') else {
        return vec![pattern.to_owned()];
    };
    choices.split(',').flat_map(|choice| spread(&format!("{before}{choice}{after}"))).collect()
}

fn folders(parts: &[&str], names: &[&str]) -> bool {
    match (parts.split_first(), names.split_first()) {
        (None, None) => true,
        (Some((&"**", rest)), _) => {
            folders(rest, names)
                || names.split_first().is_some_and(|(_, more)| folders(parts, more))
        }
        (Some((part, rest)), Some((name, more))) => {
            let (part, name): (Vec<char>, Vec<char>) =
                (part.chars().collect(), name.chars().collect());
            letters(&part, &name) && folders(rest, more)
        }
        (None, Some(_)) | (Some(_), None) => false,
    }
}

fn letters(part: &[char], name: &[char]) -> bool {
    match part.split_first() {
        None => name.is_empty(),
        Some(('*', rest)) => {
            (0..=name.len()).any(|n| name.get(n..).is_some_and(|n| letters(rest, n)))
        }
        Some(('?', rest)) => name.split_first().is_some_and(|(_, more)| letters(rest, more)),
        Some((c, rest)) => {
            name.split_first().is_some_and(|(n, more)| n == c && letters(rest, more))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn patterns_fit_files_and_folders() {
        for (pattern, path) in [
            ("test/*.js", "test/a.js"),
            ("test/**/*.test.js", "test/a.test.js"),
            ("test/**/*.test.js", "test/x/y/a.test.js"),
            ("**/*.{spec,test}.{js,ts}", "a/b.spec.ts"),
            ("./test", "test/x/a.js"),
            ("test/a.js", "test/a.js"),
            ("src/?.js", "src/a.js"),
        ] {
            assert!(fits(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in [
            ("test/*.js", "test/x/a.js"),
            ("test", "tests/a.js"),
            ("*.js", "a.ts"),
            ("src/?.js", "src/ab.js"),
        ] {
            assert!(!fits(pattern, path), "{pattern} {path}");
        }
    }
}
