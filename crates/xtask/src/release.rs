//! `cargo xtask release VERSION`: one version everywhere, its part of the changelog, every package, and a commit with a tag in which
//! the templates know the binary by its digest. Pushes nothing.

use crate::dist::{Facts, archive_name, digest};
use crate::{dist, tree::root};
use anyhow::{Context, Result, bail};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// What takes the binary of its release.
const TEMPLATES: [&str; 3] = ["action.yml", "ci/gitlab.yml", "packaging/install.sh"];
const UNRELEASED: &str = "## Unreleased\n";

pub struct Wish {
    version: String,
    /// One that is there already, instead of one that is built.
    binary: Option<PathBuf>,
}

impl Wish {
    pub fn read(words: &[&str]) -> Result<Self> {
        let (mut version, mut binary) = (None, None);
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--binary" => {
                    let value = words.next().context("--binary wants a file")?;
                    binary = Some(std::path::absolute(value)?);
                }
                text if parts(text).is_some() => version = Some(text.to_owned()),
                other => bail!("`{other}` is no version\nhint: 1.2.3"),
            }
        }
        Ok(Self {
            version: version.context("no version was given\nhint: `cargo xtask release 1.2.3`")?,
            binary,
        })
    }
}

pub fn run(wish: &Wish) -> Result<ExitCode> {
    let root = root()?;
    let git = |words: &[&str]| said(&root, "git", words);
    let changed = git(&["status", "--porcelain"])?;
    if !changed.trim().is_empty() {
        bail!("the tree is not clean:\n{changed}hint: commit first");
    }
    let before = Facts::read()?;
    if parts(&wish.version) < parts(&before.version) {
        bail!("{} comes before {}, which is there already", wish.version, before.version);
    }
    let tag = format!("v{}", wish.version);
    if !git(&["tag", "--list", &tag])?.trim().is_empty() {
        bail!("{tag} is there already");
    }
    let today = said(&root, "date", &["-u", "+%Y-%m-%d"])?;
    let (changelog, news) = dated(&before.file("CHANGELOG.md")?, &wish.version, today.trim())?;
    write(&root, "CHANGELOG.md", &changelog)?;
    let manifest = before.file("Cargo.toml")?;
    let old = format!("\nversion = \"{}\"\n", before.version);
    write(
        &root,
        "Cargo.toml",
        &manifest.replacen(&old, &format!("\nversion = \"{}\"\n", wish.version), 1),
    )?;
    // The lock file gets the new version of our own packages, and nothing else.
    said(&root, "cargo", &["update", "--workspace", "--offline"])?;
    let machine = pack(&root, wish)?;
    git(&["add", "--all"])?;
    git(&["commit", "--quiet", "--message", &format!("release: {}", wish.version)])?;
    git(&["tag", "--annotate", &tag, "--message", &format!("Proctor {}\n\n{news}", wish.version)])?;
    // The next commits are no release: they build.
    for name in TEMPLATES {
        write(&root, name, &pinned(&Facts::read()?.file(name)?, "", ""))?;
    }
    git(&[
        "commit",
        "--quiet",
        "--all",
        "--message",
        &format!("release: what comes after {} builds itself", wish.version),
    ])?;
    let mut talk = std::io::stdout().lock();
    writeln!(
        talk,
        "{tag} is committed and tagged, and its packages are in target/dist ({machine})."
    )?;
    writeln!(
        talk,
        "hint: `cargo xtask dist try` tries them; `git push origin HEAD {tag}` publishes the tag"
    )?;
    Ok(ExitCode::SUCCESS)
}

/// The archive first: the templates and the installer know it by its digest.
fn pack(root: &Path, wish: &Wish) -> Result<&'static str> {
    let given = wish.binary.as_ref().map(|path| path.display().to_string());
    let packing = |channels: &[&'static str]| -> Result<dist::Wish> {
        let mut words = channels.to_vec();
        if let Some(path) = &given {
            words.extend(["--binary", path.as_str()]);
        }
        dist::Wish::read(&words)
    };
    let first = packing(&["archive"])?;
    dist::run(&first)?;
    let archive = first.place().join(archive_name(first.machine()));
    let bytes =
        std::fs::read(&archive).with_context(|| format!("{} can't be read", archive.display()))?;
    for name in TEMPLATES {
        write(root, name, &pinned(&Facts::read()?.file(name)?, &wish.version, &digest(&bytes)))?;
    }
    // Once more with the installer that knows it, and all the others.
    dist::run(&packing(&[])?)?;
    let again = std::fs::read(&archive)?;
    if again != bytes {
        bail!(
            "{} is another one when it is packed again, so its digest means nothing",
            archive.display()
        );
    }
    Ok(first.machine().triple)
}

/// The version in its three numbers.
fn parts(text: &str) -> Option<(u32, u32, u32)> {
    let mut parts = text.split('.').map(|part| part.parse().ok());
    let found = (parts.next()??, parts.next()??, parts.next()??);
    parts.next().is_none().then_some(found)
}

/// The changelog with what was not released under its version, and what is new in it.
fn dated(changelog: &str, version: &str, day: &str) -> Result<(String, String)> {
    let (head, rest) =
        changelog.split_once(UNRELEASED).context("CHANGELOG.md has no part `## Unreleased`")?;
    let news = rest.split_once("\n## ").map_or(rest, |(news, _)| news).trim();
    if news.is_empty() {
        bail!("nothing is under `## Unreleased` in CHANGELOG.md\nhint: say what a user notices");
    }
    let text = format!("{head}{UNRELEASED}\n## {version} ({day})\n{rest}");
    Ok((text, news.to_owned()))
}

/// A template that knows this version by this digest; none where they are empty.
pub fn pinned(template: &str, version: &str, digest: &str) -> String {
    let line = |line: &str| {
        let indent = &line[..line.len() - line.trim_start().len()];
        match line.trim_start().split_once('=') {
            Some(("PINNED_VERSION", _)) => format!("{indent}PINNED_VERSION={version}\n"),
            Some(("PINNED_SHA256", _)) => format!("{indent}PINNED_SHA256={digest}\n"),
            _ => format!("{line}\n"),
        }
    };
    template.lines().map(line).collect()
}

fn write(root: &Path, name: &str, text: &str) -> Result<()> {
    std::fs::write(root.join(name), text).with_context(|| format!("{name} can't be written"))
}

fn said(folder: &Path, program: &str, words: &[&str]) -> Result<String> {
    let out = Command::new(program).args(words).current_dir(folder).output();
    let out = out.with_context(|| format!("`{program}` did not start"))?;
    if !out.status.success() {
        bail!("{program} {}: {}", words.join(" "), String::from_utf8_lossy(&out.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&out.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_released_goes_under_its_version() {
        let log = "# Changelog\n\n## Unreleased\n\n- b\n\n## 0.1.0 (2026-01-01)\n\n- a\n";
        let (text, news) = dated(log, "0.2.0", "2026-02-03").unwrap();
        let wanted = "# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-02-03)\n\n- b\n\n## 0.1.0 (2026-01-01)\n\n- a\n";
        assert_eq!((text.as_str(), news.as_str()), (wanted, "- b"));
        let why = dated(&text, "0.3.0", "2026-02-04").unwrap_err().to_string();
        assert!(why.contains("nothing is under"), "{why}");
    }

    #[test]
    fn every_template_takes_its_digest_and_gives_it_back() {
        for name in TEMPLATES {
            let text = Facts::read().unwrap().file(name).unwrap();
            let known = pinned(&text, "1.2.3", "abc");
            assert_eq!(known.matches("PINNED_VERSION=1.2.3\n").count(), 1, "{name}");
            assert_eq!(known.matches("PINNED_SHA256=abc\n").count(), 1, "{name}");
            assert_eq!(pinned(&known, "", ""), text, "{name}");
        }
    }

    #[test]
    fn versions_are_three_numbers_and_compare_by_them() {
        assert!(parts("0.10.0") > parts("0.9.9"));
        for wrong in ["1.2", "1.2.3.4", "v1.2.3", "1.2.x"] {
            assert_eq!(parts(wrong), None, "{wrong}");
            assert!(Wish::read(&[wrong]).is_err());
        }
        assert!(Wish::read(&[]).is_err());
    }
}
