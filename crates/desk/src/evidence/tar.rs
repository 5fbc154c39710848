//! Plain tar files (ustar), uncompressed: the same files give the same bytes. Reads only what it writes: regular files
//! with short names; anything else is refused, since a pack comes from a stranger.

use anyhow::{Result, bail};
use std::collections::BTreeMap;

const BLOCK: usize = 512;
const LONGEST_NAME: usize = 100;

pub fn write(files: &BTreeMap<String, Vec<u8>>) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    for (name, bytes) in files {
        out.extend_from_slice(&header(name, bytes.len())?);
        out.extend_from_slice(bytes);
        out.resize(out.len().next_multiple_of(BLOCK), 0);
    }
    out.resize(out.len() + 2 * BLOCK, 0);
    Ok(out)
}

fn header(name: &str, size: usize) -> Result<[u8; BLOCK]> {
    if name.len() >= LONGEST_NAME || size >= 1 << 33 {
        bail!("{name} does not fit into a tar file");
    }
    let mut head = [0; BLOCK];
    let mut put = |at: usize, text: &str| {
        for (to, from) in head.iter_mut().skip(at).zip(text.bytes()) {
            *to = from;
        }
    };
    put(0, name);
    put(100, "0000644\0");
    put(108, "0000000\0");
    put(116, "0000000\0");
    put(124, &format!("{size:011o}\0"));
    put(136, "00000000000\0");
    put(148, "        ");
    put(156, "0");
    put(257, "ustar\x0000");
    let sum = checksum(&head);
    for (to, from) in head.iter_mut().skip(148).zip(format!("{sum:06o}\0 ").bytes()) {
        *to = from;
    }
    Ok(head)
}

/// The sum of all bytes, with blanks in the place of the sum.
fn checksum(head: &[u8]) -> u32 {
    let blank = |at: usize| (148..156).contains(&at);
    head.iter().enumerate().map(|(at, b)| if blank(at) { 32 } else { u32::from(*b) }).sum()
}

pub fn read(mut rest: &[u8]) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    loop {
        let Some((head, after)) = rest.split_at_checked(BLOCK) else {
            bail!("it is cut off");
        };
        if head.iter().all(|byte| *byte == 0) {
            if after.iter().any(|byte| *byte != 0) {
                bail!("something stands behind its end");
            }
            return Ok(files);
        }
        if octal(head, 148, 8)? != checksum(head) as usize {
            bail!("a header's sum is wrong");
        }
        let name = text(head, 0, LONGEST_NAME)?;
        if head.get(156) != Some(&b'0') || !is_lawful(&name) {
            bail!("it holds {name:?}, which is no plain file");
        }
        let size = octal(head, 124, 12)?;
        let Some((bytes, after)) = after.split_at_checked(size) else { bail!("it is cut off") };
        let pad = size.next_multiple_of(BLOCK) - size;
        let Some((padding, after)) = after.split_at_checked(pad) else { bail!("it is cut off") };
        if padding.iter().any(|byte| *byte != 0) {
            bail!("something stands behind {name}");
        }
        if files.insert(name.clone(), bytes.to_vec()).is_some() {
            bail!("it holds {name} twice");
        }
        rest = after;
    }
}

fn is_lawful(name: &str) -> bool {
    let fit = |part: &str| !matches!(part, "" | "." | "..");
    name.split('/').all(fit) && !name.chars().any(char::is_control)
}

fn text(head: &[u8], at: usize, most: usize) -> Result<String> {
    let field = head.get(at..at + most).unwrap_or_default();
    let field = field.split(|byte| *byte == 0).next().unwrap_or_default();
    Ok(std::str::from_utf8(field)?.to_owned())
}

fn octal(head: &[u8], at: usize, most: usize) -> Result<usize> {
    let digits = text(head, at, most)?;
    Ok(usize::from_str_radix(digits.trim(), 8)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> BTreeMap<String, Vec<u8>> {
        [("a/b.txt", b"x".repeat(513)), ("empty", Vec::new())]
            .map(|(name, bytes)| (name.to_owned(), bytes))
            .into()
    }

    #[test]
    fn what_is_written_is_read_back_and_is_always_the_same() {
        let bytes = write(&files()).unwrap();
        assert_eq!(read(&bytes).unwrap(), files());
        assert_eq!(write(&files()).unwrap(), bytes);
    }

    #[test]
    fn tar_itself_reads_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.tar");
        std::fs::write(&file, write(&files()).unwrap()).unwrap();
        let out = std::process::Command::new("tar").arg("-tvf").arg(&file).output().unwrap();
        let listed = String::from_utf8_lossy(&out.stdout).into_owned();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        assert!(listed.contains("513 1970-01-01") && listed.contains("a/b.txt"), "{listed}");
    }

    #[test]
    fn names_that_leave_their_folder_and_cut_files_are_refused() {
        for name in ["../x", "/etc/x", "a//b", "a/./b"] {
            let bytes = write(&[(name.to_owned(), Vec::new())].into()).unwrap();
            assert!(read(&bytes).is_err(), "{name}");
        }
        let bytes = write(&files()).unwrap();
        for cut in [0, 100, 600, 1200] {
            assert!(read(&bytes[..cut]).is_err(), "{cut}");
        }
    }

    #[test]
    fn a_changed_header_is_noticed() {
        let mut bytes = write(&files()).unwrap();
        bytes[124] ^= 1;
        assert!(read(&bytes).is_err());
    }
}
