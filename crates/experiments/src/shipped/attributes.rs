//! Attributes of git by which a user's checkout or an archive has other bytes than the tree.

use super::globs::fits_below;
use super::{Parcel, Unshipped, below};
use proctor_core::report::Place;
use proctor_lang::parent;

/// What an attribute does to a file, and whether it does it to this text.
const ATTRIBUTES: [(&str, &str); 4] = [
    ("export-ignore", "it is left out of the archives that users get"),
    ("export-subst", "an archive has other text in the place of `$Format:…$`"),
    ("ident", "a checkout has other text in the place of `$Id$`"),
    ("working-tree-encoding", "a checkout has other bytes in another encoding"),
];

/// Changed files with such an attribute that the base did not give to them, or that have what it replaces.
pub(super) fn found(parcel: &Parcel<'_>) -> Vec<Unshipped> {
    let mut all = Vec::new();
    let files =
        parcel.paths.iter().filter(|path| path.rsplit('/').next() == Some(".gitattributes"));
    for attributes in files {
        let Some(text) = (parcel.text)(attributes) else { continue };
        for file in parcel.lines.keys() {
            let Some(path) = below(parent(attributes), file) else { continue };
            for (name, does) in ATTRIBUTES {
                if matters(parcel, name, file) && is_set(&text, path, name) {
                    all.push(Unshipped {
                        place: Place { file: file.clone(), line: None },
                        text: format!(
                            "{attributes} sets `{name}` for {file}: {does}, and that is not what is tested; accepted: production code without it"
                        ),
                    });
                }
            }
        }
    }
    all
}

/// Whether an attribute changes anything for a file.
fn matters(parcel: &Parcel<'_>, name: &str, file: &str) -> bool {
    let holds = |word: &str| (parcel.text)(file).is_some_and(|text| text.contains(word));
    match name {
        "export-subst" => holds("$Format:"),
        "ident" => holds("$Id$") || holds("$Id:"),
        _ => true,
    }
}

/// The last line that fits decides.
fn is_set(text: &str, path: &str, name: &str) -> bool {
    let mut set = false;
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        if !words.next().is_some_and(|pattern| fits_below(pattern, path)) {
            continue;
        }
        for word in words {
            let bare = word.trim_start_matches(['-', '!']);
            if bare.split('=').next() == Some(name) {
                set = bare.len() == word.len();
            }
        }
    }
    set
}
