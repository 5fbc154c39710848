//! What a package holds, and the three ways to write that down: tar, zip and ar. The same files give the same bytes on every
//! machine: order, owners and times are ours. Knows no channel.

use flate2::write::{DeflateEncoder, GzEncoder};
use flate2::{Compression, Crc, GzBuilder};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// Times are as old as a zip can tell of.
const WHEN: u64 = 315_532_800;

/// One file of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// From the root of the package, with `/`.
    pub path: String,
    pub mode: u32,
    pub bytes: Vec<u8>,
}

impl Entry {
    pub fn file(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), mode: 0o644, bytes: bytes.into() }
    }

    pub fn program(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { mode: 0o755, ..Self::file(path, bytes) }
    }

    pub fn below(self, folder: &str) -> Self {
        Self { path: format!("{folder}/{}", self.path), ..self }
    }
}

pub fn gz(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut out: GzEncoder<Vec<u8>> =
        GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    out.write_all(bytes)?;
    out.finish()
}

/// A tar with the folders above each file, which dpkg wants.
pub fn tar(entries: &[Entry]) -> io::Result<Vec<u8>> {
    let mut sorted: Vec<&Entry> = entries.iter().collect();
    sorted.sort_by_key(|entry| &entry.path);
    let (mut out, mut made) = (Vec::new(), BTreeSet::new());
    for entry in sorted {
        for (at, _) in entry.path.match_indices('/') {
            let folder = &entry.path[..=at];
            if folder != "./" && made.insert(folder) {
                out.extend(head(folder, b'5', 0o755, 0)?);
            }
        }
        out.extend(head(&entry.path, b'0', entry.mode, entry.bytes.len())?);
        out.extend(&entry.bytes);
        out.resize(out.len().next_multiple_of(512), 0);
    }
    out.resize(out.len() + 1024, 0);
    Ok(out)
}

fn head(path: &str, kind: u8, mode: u32, size: usize) -> io::Result<[u8; 512]> {
    let mut head = [0_u8; 512];
    let mut put = |at: usize, text: &[u8]| head[at..at + text.len()].copy_from_slice(text);
    if path.len() > 100 {
        return Err(io::Error::other(format!(
            "{path} is longer than the 100 bytes of a tar's name"
        )));
    }
    put(0, path.as_bytes());
    put(100, format!("{mode:07o}").as_bytes());
    put(108, b"0000000");
    put(116, b"0000000");
    put(124, format!("{size:011o}").as_bytes());
    put(136, format!("{WHEN:011o}").as_bytes());
    put(148, b"        ");
    put(156, &[kind]);
    put(257, b"ustar\x0000");
    put(265, b"root");
    put(297, b"root");
    let sum: u32 = head.iter().map(|byte| u32::from(*byte)).sum();
    head[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Ok(head)
}

/// What a Debian package is written as.
pub fn ar(entries: &[Entry]) -> Vec<u8> {
    let mut out = b"!<arch>\n".to_vec();
    for entry in entries {
        let (path, size) = (&entry.path, entry.bytes.len());
        out.extend(
            format!("{path:<16}{WHEN:<12}{:<6}{:<6}{:<8}{size:<10}`\n", 0, 0, "100644").bytes(),
        );
        out.extend(&entry.bytes);
        out.resize(out.len().next_multiple_of(2), b'\n');
    }
    out
}

/// A zip in the order given: a wheel wants its list of files last.
pub fn zip(entries: &[Entry]) -> io::Result<Vec<u8>> {
    let (mut out, mut list) = (Vec::new(), Vec::new());
    for entry in entries {
        let mut crc = Crc::new();
        crc.update(&entry.bytes);
        let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
        packed.write_all(&entry.bytes)?;
        let packed = packed.finish()?;
        let at = word(out.len())?;
        // Made for 2.0, names in UTF-8, deflated, the first of January 1980.
        let mut about = vec![20, 0, 0, 8, 8, 0, 0, 0, 33, 0];
        about.extend(crc.sum().to_le_bytes());
        about.extend(word(packed.len())?);
        about.extend(word(entry.bytes.len())?);
        about.extend(half(entry.path.len())?);
        about.extend([0, 0]);
        out.extend(b"PK\x03\x04");
        out.extend(&about);
        out.extend(entry.path.bytes());
        out.extend(packed);
        // By a Unix, whose modes stand above.
        list.extend(b"PK\x01\x02\x14\x03");
        list.extend(about);
        list.extend([0; 6]);
        list.extend(((0o100_000 | entry.mode) << 16).to_le_bytes());
        list.extend(at);
        list.extend(entry.path.bytes());
    }
    let (count, at, size) = (half(entries.len())?, word(out.len())?, word(list.len())?);
    out.extend(list);
    out.extend(b"PK\x05\x06\0\0\0\0");
    for part in [&count[..], &count, &size, &at, &[0, 0]] {
        out.extend(part);
    }
    Ok(out)
}

fn word(size: usize) -> io::Result<[u8; 4]> {
    u32::try_from(size).map(u32::to_le_bytes).map_err(io::Error::other)
}

fn half(size: usize) -> io::Result<[u8; 2]> {
    u16::try_from(size).map(u16::to_le_bytes).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use std::process::Command;

    fn entries() -> Vec<Entry> {
        vec![
            Entry::program("bin/tool", "#!/bin/sh\necho ran\n"),
            Entry::file("share/doc/words.txt", "words ".repeat(2000)),
        ]
    }

    fn said(folder: &Path, program: &str, words: &[&str]) -> String {
        let out = Command::new(program).args(words).current_dir(folder).output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).unwrap()
    }

    #[test]
    fn a_tar_is_unpacked_by_tar_with_modes_and_folders() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.tar.gz"), gz(&tar(&entries()).unwrap()).unwrap())
            .unwrap();
        let listed = said(folder.path(), "tar", &["-tzf", "a.tar.gz"]);
        assert_eq!(listed, "bin/\nbin/tool\nshare/\nshare/doc/\nshare/doc/words.txt\n");
        said(folder.path(), "tar", &["-xzf", "a.tar.gz"]);
        assert_eq!(said(folder.path(), "./bin/tool", &[]), "ran\n");
        let words = std::fs::read(folder.path().join("share/doc/words.txt")).unwrap();
        assert_eq!(words, entries()[1].bytes);
    }

    #[test]
    fn a_zip_is_unpacked_by_python_and_the_same_files_give_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let bytes = zip(&entries()).unwrap();
        assert_eq!(bytes, zip(&entries()).unwrap());
        std::fs::write(folder.path().join("a.zip"), bytes).unwrap();
        let read = "import zipfile; z = zipfile.ZipFile('a.zip'); print(z.testzip(), [(i.filename, oct(i.external_attr >> 16)) \
            for i in z.infolist()], len(z.read('share/doc/words.txt')))";
        assert_eq!(
            said(folder.path(), "python3", &["-c", read]),
            "None [('bin/tool', '0o100755'), ('share/doc/words.txt', '0o100644')] 12000\n"
        );
    }

    #[test]
    fn a_name_that_tar_can_not_hold_is_refused_and_not_cut() {
        let long = [Entry::file("x".repeat(101), "")];
        assert!(tar(&long).unwrap_err().to_string().contains("100 bytes"));
    }
}
