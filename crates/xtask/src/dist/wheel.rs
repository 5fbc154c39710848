//! The wheel: the binary as a script of a Python package, so that `uvx proctor` and `pip install proctor` need no Rust. What maturin
//! makes of `bindings = "bin"`, of a binary that is there already.

use crate::dist::binary::Binary;
use crate::dist::pack::{Entry, zip};
use crate::dist::{Facts, Made};
use anyhow::Result;
use sha2::{Digest, Sha256};
use std::fmt::Write;

pub fn wheel(facts: &Facts, binary: &Binary) -> Result<Made> {
    let (major, minor) = binary.glibc;
    let tag = format!("py3-none-manylinux_{major}_{minor}_{}", binary.machine.wheel);
    let name = format!("proctor-{}", facts.version);
    let about = format!("{name}.dist-info");
    let mut entries =
        vec![Entry::program(format!("{name}.data/scripts/proctor"), binary.bytes.clone())];
    entries.extend(
        facts.licences()?.into_iter().map(|licence| licence.below(&format!("{about}/licenses"))),
    );
    entries.push(Entry::file(format!("{about}/METADATA"), metadata(facts)?));
    let wheel = format!(
        "Wheel-Version: 1.0\nGenerator: proctor xtask\nRoot-Is-Purelib: false\nTag: {tag}\n"
    );
    entries.push(Entry::file(format!("{about}/WHEEL"), wheel));
    let mut record = String::new();
    for entry in &entries {
        let digest = base64(&Sha256::digest(&entry.bytes));
        writeln!(record, "{},sha256={digest},{}", entry.path, entry.bytes.len())?;
    }
    writeln!(record, "{about}/RECORD,,")?;
    entries.push(Entry::file(format!("{about}/RECORD"), record));
    Ok(Made { name: format!("{name}-{tag}.whl"), bytes: zip(&entries)? })
}

fn metadata(facts: &Facts) -> Result<String> {
    let mut text = format!("Metadata-Version: 2.4\nName: proctor\nVersion: {}\n", facts.version);
    writeln!(text, "Summary: {}", facts.summary)?;
    writeln!(text, "License-Expression: {}", facts.licence)?;
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        writeln!(text, "License-File: {name}")?;
    }
    writeln!(text, "Project-URL: Source, {}", facts.repository)?;
    for word in [
        "Environment :: Console",
        "Operating System :: POSIX :: Linux",
        "Topic :: Software Development :: Testing",
    ] {
        writeln!(text, "Classifier: {word}")?;
    }
    writeln!(
        text,
        "Requires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n{}",
        facts.readme()?
    )?;
    Ok(text)
}

/// Base64 for URLs, without padding, as wheels write digests.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for part in bytes.chunks(3) {
        let bits = part.iter().fold(0, |bits, byte| bits << 8 | u32::from(*byte))
            << (8 * (3 - part.len()));
        for at in 0..=part.len() {
            let letter = (bits >> (18 - 6 * at)) & 63;
            text.push(char::from(LETTERS[letter as usize]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_written_as_urls_want_them() {
        for (bytes, text) in [(&b"\xfb\xff"[..], "-_8"), (b"a", "YQ"), (b"abc", "YWJj"), (b"", "")]
        {
            assert_eq!(base64(bytes), text);
        }
    }
}
