//! Crates: what `cargo package` takes.

use super::globs::fits_below;
use super::{Goes, Parcel, Unshipped, below, joined, left_out};

pub(super) fn found(parcel: &Parcel<'_>, file: &str) -> Vec<Unshipped> {
    let Some(root) = parcel.root_of(file, &["Cargo.toml"]) else { return Vec::new() };
    let table = parcel.read(&root, "Cargo.toml").and_then(|text| text.parse::<toml::Table>().ok());
    let Some(package) = table.as_ref().and_then(|t| t.get("package")?.as_table()) else {
        return Vec::new();
    };
    let list = |key: &str| -> Vec<String> {
        let all = package.get(key).and_then(toml::Value::as_array).into_iter().flatten();
        all.filter_map(|word| Some(word.as_str()?.to_owned())).collect()
    };
    let (include, exclude) = (list("include"), list("exclude"));
    if include.is_empty() && exclude.is_empty() {
        return Vec::new();
    }
    let says = if include.is_empty() { "excludes it" } else { "does not include it" };
    let goes: Goes<'_> = Box::new(move |path: &str| {
        let Some(path) = below(&root, path) else { return false };
        let any = |words: &[String]| words.iter().any(|word| fits_below(word, path));
        if include.is_empty() { !any(&exclude) } else { any(&include) }
    });
    let root = parcel.root_of(file, &["Cargo.toml"]).unwrap_or_default();
    let missed = parcel.is_missed(file, &root, &goes);
    missed.then(|| left_out(file, &joined(&root, "Cargo.toml"), says)).into_iter().collect()
}
