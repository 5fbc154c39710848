//! Which entries of a target folder are the project's own, and which are third-party dependencies that another run may
//! use again. Reads a build's messages; looks at no file. What it does not know for certain is the project's own.

use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Component, Path};

/// The artifacts of one build, told apart. Keep only what is not own, and take the copy before any code of the
/// project has run: a test may write what it likes into the folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnArtifacts {
    /// Names of the project's packages and crates.
    own: BTreeSet<String>,
    /// Third-party packages: their folders in `.fingerprint`.
    packages: BTreeSet<String>,
    /// Exact stems in `deps` (`itoa-0a1b…`) and exact folders in `build` of third-party packages.
    stems: BTreeSet<String>,
}

#[derive(Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
enum Message {
    CompilerArtifact {
        package_id: String,
        target: Target,
        #[serde(default)]
        filenames: Vec<String>,
    },
    BuildScriptExecuted {
        package_id: String,
        #[serde(default)]
        out_dir: String,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

impl OwnArtifacts {
    /// From the standard output of a build with `--message-format=json`.
    pub fn read(stdout: &[u8]) -> Self {
        let mut found = Self::default();
        for line in stdout.split(|b| *b == b'\n').filter(|l| l.starts_with(b"{")) {
            match serde_json::from_slice(line) {
                Ok(Message::CompilerArtifact { package_id, target, filenames }) => {
                    found.artifact(&package_id, &target.name, &filenames);
                }
                Ok(Message::BuildScriptExecuted { package_id, out_dir }) => {
                    found.artifact(&package_id, "", &[out_dir]);
                }
                Ok(Message::Other) | Err(_) => {}
            }
        }
        found
    }

    fn artifact(&mut self, package_id: &str, target: &str, files: &[String]) {
        let package = package_name(package_id);
        if !is_third_party(package_id) {
            self.own.insert(package.replace('-', "_"));
            self.own.insert(target.replace('-', "_"));
            return;
        }
        self.packages.insert(package);
        for file in files {
            let path = Path::new(file);
            let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
            // `deps/libitoa-0a1b….rlib` with `deps/itoa-0a1b….d`; `build/libc-0a1b…/build-script-build` and
            // `build/libc-0a1b…/out`.
            if folder == "deps" {
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                self.stems.extend(stem.strip_prefix("lib").map(str::to_owned));
                self.stems.insert(stem.into_owned());
            } else {
                self.stems.insert(folder.to_string_lossy().into_owned());
            }
        }
    }

    /// Whether an entry, by its path relative to the target folder, belongs to the project. Folders on the way to
    /// something third-party (`debug`, `debug/deps`) are not own.
    pub fn is_own(&self, relative: &Path) -> bool {
        let mut parts = Vec::new();
        for component in relative.components() {
            match component {
                Component::Normal(part) => parts.push(part.to_string_lossy().into_owned()),
                Component::CurDir => {}
                _ => return true,
            }
        }
        let kinds = ["deps", ".fingerprint", "build"];
        // `debug/deps/…`, or `x86_64-unknown-linux-gnu/debug/deps/…`.
        let Some(at) = parts.iter().take(3).position(|p| kinds.contains(&p.as_str())) else {
            let profiles = ["debug", "release"];
            let leads = match parts.as_slice() {
                [one] => profiles.contains(&one.as_str()) || one.matches('-').count() >= 2,
                [one, two] => one.matches('-').count() >= 2 && profiles.contains(&two.as_str()),
                _ => false,
            };
            return !leads;
        };
        if at == 0 {
            return true;
        }
        let Some(entry) = parts.get(at + 1) else {
            return false;
        };
        let stem = entry.split('.').next().unwrap_or(entry);
        let Some((name, hash)) = stem.rsplit_once('-') else {
            return true;
        };
        let crate_names = [Some(name), name.strip_prefix("lib")];
        let named_own =
            crate_names.iter().flatten().any(|n| self.own.contains(&n.replace('-', "_")));
        if !is_hash(hash) || named_own {
            return true;
        }
        match parts.get(at).map(String::as_str) {
            Some(".fingerprint") => !self.packages.contains(name),
            _ => !self.stems.contains(stem),
        }
    }
}

fn is_third_party(package_id: &str) -> bool {
    ["registry+", "sparse+", "git+"].iter().any(|source| package_id.starts_with(source))
}

fn package_name(package_id: &str) -> String {
    let (place, fragment) = package_id.rsplit_once('#').unwrap_or((package_id, ""));
    match fragment.rsplit_once('@') {
        Some((name, _)) => name.to_owned(),
        None => place.rsplit('/').next().unwrap_or("").split('?').next().unwrap_or("").to_owned(),
    }
}

fn is_hash(text: &str) -> bool {
    text.len() == 16 && text.chars().all(|c| c.is_ascii_hexdigit())
}

#[cfg(test)]
#[path = "own_tests.rs"]
mod tests;
