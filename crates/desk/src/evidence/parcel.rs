//! The pack as files: what goes into the tar, and the list of their hashes that is looked at first when it comes back.

use super::bundle;
use super::html;
use super::make::Made;
use super::pack;
use super::tar;
use anyhow::Result;
use proctor_engine::Shop;
use proctor_engine::evidence::Printed;
use std::collections::BTreeMap;
use std::fmt::Write;

pub const EVIDENCE: &str = "evidence.json";
pub const PAGE: &str = "evidence.html";
pub const BUNDLE: &str = "pack.bundle";
const MANIFEST: &str = "MANIFEST";

#[derive(Debug)]
pub struct Parcel(pub BTreeMap<String, Vec<u8>>);

impl Parcel {
    pub fn of(shop: &Shop, made: &Made) -> Result<Self> {
        let mut files = made.files.clone();
        let pack = &made.pack;
        if let Some(proven) = &pack.proven {
            let (base, proven) = (&pack.base.commit, &proven.commit);
            files.insert(BUNDLE.into(), bundle::make(shop, &made.repository, base, proven)?);
        }
        files.insert(EVIDENCE.into(), pack::json(pack)?.into_bytes());
        files.insert(PAGE.into(), html::render(pack).into_bytes());
        files.insert(MANIFEST.into(), manifest(&files).into_bytes());
        Ok(Self(files))
    }

    pub fn to_tar(&self) -> Result<Vec<u8>> {
        tar::write(&self.0)
    }

    /// What is not as the manifest says, in words; nothing where all of it is.
    pub fn changes(&self) -> Vec<String> {
        let Some(listed) = self.0.get(MANIFEST) else {
            return vec![format!("{MANIFEST} is missing")];
        };
        let mut files = self.0.clone();
        files.remove(MANIFEST);
        let Some(wanted) = read(&String::from_utf8_lossy(listed)) else {
            return vec![format!("{MANIFEST} can't be read")];
        };
        let mut found = Vec::new();
        for (name, hash) in &wanted {
            match files.get(name) {
                None => found.push(format!("{name} is missing")),
                Some(bytes) if Printed::of(bytes).sha256 != *hash => {
                    found.push(format!("{name} was changed after the pack was made"));
                }
                Some(_) => {}
            }
        }
        let added = files.keys().filter(|name| !wanted.contains_key(*name));
        found.extend(added.map(|name| format!("{name} was added after the pack was made")));
        found
    }
}

/// As `sha256sum` writes and checks it.
fn manifest(files: &BTreeMap<String, Vec<u8>>) -> String {
    let mut text = String::new();
    for (name, bytes) in files {
        let _ = writeln!(text, "{}  {name}", Printed::of(bytes).sha256);
    }
    text
}

fn read(text: &str) -> Option<BTreeMap<String, String>> {
    let entry = |line: &str| {
        let (hash, name) = line.split_once("  ")?;
        Some((name.to_owned(), hash.to_owned()))
    };
    text.lines().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parcel() -> Parcel {
        let mut files: BTreeMap<String, Vec<u8>> =
            [("a", "one"), ("b", "two")].map(|(n, t)| (n.to_owned(), t.into())).into();
        files.insert(MANIFEST.to_owned(), manifest(&files).into_bytes());
        Parcel(files)
    }

    #[test]
    fn an_untouched_parcel_is_as_its_manifest_says() {
        assert_eq!(parcel().changes(), Vec::<String>::new());
    }

    #[test]
    fn a_changed_a_missing_and_an_added_file_are_named() {
        let mut changed = parcel();
        changed.0.insert("a".to_owned(), b"other".to_vec());
        changed.0.remove("b");
        changed.0.insert("c".to_owned(), Vec::new());
        let told = changed.changes().join("; ");
        assert_eq!(
            told,
            "a was changed after the pack was made; b is missing; c was added after the pack was made"
        );
        let mut bare = parcel();
        bare.0.remove(MANIFEST);
        assert_eq!(bare.changes(), ["MANIFEST is missing"]);
    }
}
