//! Which files of the tree a script asks for by their paths.

use super::Parcel;
use proctor_lang::zone::SCRIPTS;
use proctor_lang::{joined, parent};

/// What a line imports, as it is written there.
pub(super) fn specifiers(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for word in ["from", "require(", "import(", "import"] {
        for (at, _) in line.match_indices(word) {
            let after = line.get(at + word.len()..).unwrap_or_default().trim_start();
            let Some(quote) = after.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
                continue;
            };
            found.extend(after.get(1..).and_then(|rest| Some(rest.split_once(quote)?.0)));
        }
    }
    found
}

/// The files that a script leads to.
pub(super) fn of(parcel: &Parcel<'_>, file: &str) -> Vec<String> {
    let text = (parcel.text)(file).unwrap_or_default();
    let paths = text.lines().flat_map(specifiers).filter(|specifier| specifier.starts_with('.'));
    paths.filter_map(|path| found(parcel, &joined(parent(file), path)?)).collect()
}

/// The file that a path means: with an ending, as a folder, or as the source of what is built beside it.
pub(super) fn found(parcel: &Parcel<'_>, path: &str) -> Option<String> {
    let path = path.trim_end_matches('/');
    let there = |path: &String| parcel.paths.contains(path.as_str());
    let stem = path.rsplit_once('.').filter(|(_, ending)| SCRIPTS.contains(ending));
    let ended = |stem: &str| SCRIPTS.map(|ending| format!("{stem}.{ending}"));
    std::iter::once(path.to_owned())
        .chain(ended(path))
        .chain(ended(&format!("{path}/index")))
        .chain(stem.into_iter().flat_map(|(stem, _)| ended(stem)))
        .find(there)
}
