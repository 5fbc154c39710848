//! The one binary that every channel packs: how it is built, and which C library it needs. Knows no channel.

use crate::tree::root;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The oldest C library that Rust's own library runs on.
const OLDEST_GLIBC: &str = "2.17";

/// A kind of machine, and what each channel calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    pub triple: &'static str,
    pub wheel: &'static str,
    pub npm: &'static str,
    pub deb: &'static str,
}

pub const MACHINES: [Machine; 2] = [
    Machine { triple: "x86_64-unknown-linux-gnu", wheel: "x86_64", npm: "x64", deb: "amd64" },
    Machine { triple: "aarch64-unknown-linux-gnu", wheel: "aarch64", npm: "arm64", deb: "arm64" },
];

impl Machine {
    /// The one of this name, or this one.
    pub fn find(name: Option<&str>) -> Result<Self> {
        let name = name.unwrap_or(std::env::consts::ARCH);
        let found = MACHINES.into_iter().find(|machine| machine.wheel == name);
        found.with_context(|| format!("{name} is not packed for\nhint: x86_64 or aarch64"))
    }
}

/// The program, and what is said about it.
pub struct Binary {
    pub bytes: Vec<u8>,
    pub machine: Machine,
    /// The oldest C library that it runs with: 2.17.
    pub glibc: (u32, u32),
}

impl Binary {
    /// One that is there already.
    pub fn read(path: &Path, machine: Machine) -> Result<Self> {
        let bytes =
            std::fs::read(path).with_context(|| format!("{} can't be read", path.display()))?;
        if !bytes.starts_with(b"\x7fELF") {
            bail!(
                "{} is no program of Linux\nhint: give the `proctor` that cargo built",
                path.display()
            );
        }
        let glibc = needed_glibc(&bytes);
        Ok(Self { bytes, machine, glibc })
    }

    /// Against an old C library through zig where that is there, else against this machine's.
    pub fn build(machine: Machine, tools: &Path) -> Result<Self> {
        let mut words = vec!["build", "--release", "--locked", "-p", "proctor", "--target"];
        let target = format!("{}.{OLDEST_GLIBC}", machine.triple);
        let zig = tools.join("cargo-zigbuild").is_file();
        words[0] = if zig { "zigbuild" } else { "build" };
        words.push(if zig { &target } else { machine.triple });
        let place = root()?.join("target/dist-build");
        let ended = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(&words)
            .arg("--target-dir")
            .arg(&place)
            .env("RUSTFLAGS", without_places()?)
            .env("PATH", in_front(tools)?)
            .current_dir(root()?)
            .status()
            .context("cargo did not start")?;
        if !ended.success() {
            bail!("cargo {} failed", words.join(" "));
        }
        Self::read(&place.join(machine.triple).join("release/proctor"), machine)
    }
}

/// Paths of this machine are nobody's business, and would make each build another.
fn without_places() -> Result<String> {
    let home = std::env::var("CARGO_HOME").or_else(|_| Ok(std::env::var("HOME")? + "/.cargo"));
    let home = home
        .map_err(|_: std::env::VarError| anyhow::anyhow!("neither CARGO_HOME nor HOME is set"))?;
    let root = root()?;
    Ok(format!("--remap-path-prefix={home}=cargo --remap-path-prefix={}=proctor", root.display()))
}

/// The PATH with a folder before all others.
pub fn in_front(folder: &Path) -> Result<std::ffi::OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(PathBuf::from(folder)).chain(std::env::split_paths(&path));
    std::env::join_paths(all).context("a folder of the PATH has a colon in its name")
}

/// The newest version that a symbol of the C library is asked for in. The names stand in the file as they are.
fn needed_glibc(bytes: &[u8]) -> (u32, u32) {
    const MARK: &[u8] = b"GLIBC_";
    let starts = bytes.windows(MARK.len()).enumerate().filter(|(_, part)| *part == MARK);
    let versions = starts.filter_map(|(at, _)| {
        let rest = &bytes[at + MARK.len()..];
        let text = std::str::from_utf8(&rest[..rest.iter().position(|byte| *byte == 0)?]).ok()?;
        let mut parts = text.split('.').map(|part| part.parse::<u32>().ok());
        Some((parts.next()??, parts.next()??))
    });
    versions.max().unwrap_or((2, 17))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_of_the_c_library_counts_and_private_ones_do_not() {
        let text = b"\x7fELF..GLIBC_2.2.5\0GLIBC_2.28\0GLIBC_2.9\0GLIBC_PRIVATE\0__GLIBC_x\0";
        assert_eq!(needed_glibc(text), (2, 28));
    }

    #[test]
    fn what_is_no_program_is_not_packed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("proctor");
        std::fs::write(&path, "#!/bin/sh\n").unwrap();
        let why = Binary::read(&path, MACHINES[0]).err().unwrap().to_string();
        assert!(why.contains("no program of Linux") && why.contains("hint:"), "{why}");
        assert!(Machine::find(Some("sparc")).is_err());
    }
}
