//! The Debian package, with the page of the manual and the completions of the shells.

use crate::dist::binary::Binary;
use crate::dist::pack::{Entry, ar, gz, tar};
use crate::dist::{Extras, Facts, Made};
use anyhow::Result;
use std::fmt::Write;

pub fn deb(facts: &Facts, binary: &Binary, extras: &Extras) -> Result<Made> {
    let share = |path: &str, bytes: &[u8]| Entry::file(format!("./usr/share/{path}"), bytes);
    let mut copyright = format!("Proctor, {}\n\n", facts.repository).into_bytes();
    for licence in facts.licences()? {
        copyright.extend(licence.bytes);
        copyright.push(b'\n');
    }
    let files = vec![
        Entry::program("./usr/bin/proctor", binary.bytes.clone()),
        share("man/man1/proctor.1.gz", &gz(&extras.manual)?),
        share("bash-completion/completions/proctor", &extras.bash),
        share("zsh/vendor-completions/_proctor", &extras.zsh),
        share("fish/vendor_completions.d/proctor.fish", &extras.fish),
        share("doc/proctor/copyright", &copyright),
        share("doc/proctor/changelog.gz", &gz(facts.file("CHANGELOG.md")?.as_bytes())?),
    ];
    let control = [Entry::file("./control", control(facts, binary, &files)?)];
    let parts = [
        Entry::file("debian-binary", "2.0\n"),
        Entry::file("control.tar.gz", gz(&tar(&control)?)?),
        Entry::file("data.tar.gz", gz(&tar(&files)?)?),
    ];
    let name = format!("proctor_{}_{}.deb", facts.version, binary.machine.deb);
    Ok(Made { name, bytes: ar(&parts) })
}

fn control(facts: &Facts, binary: &Binary, files: &[Entry]) -> Result<String> {
    let size: usize = files.iter().map(|file| file.bytes.len().div_ceil(1024)).sum();
    let (major, minor) = binary.glibc;
    let mut text = String::new();
    for (name, value) in [
        ("Package", "proctor"),
        // A version before the release comes before it.
        ("Version", &facts.version.replace('-', "~")),
        ("Architecture", binary.machine.deb),
        ("Maintainer", "The Proctor developers <proctor@proctor-dev.invalid>"),
        ("Installed-Size", &size.to_string()),
        ("Depends", &format!("libc6 (>= {major}.{minor}), libgcc-s1, git (>= 1:2.38)")),
        ("Recommends", "bubblewrap, faketime"),
        ("Section", "devel"),
        ("Priority", "optional"),
        ("Homepage", &facts.repository),
        ("Description", &facts.summary),
    ] {
        writeln!(text, "{name}: {value}")?;
    }
    writeln!(
        text,
        " It drives an agent through test-driven development, runs the tests itself, seals"
    )?;
    writeln!(
        text,
        " them, and lands only what it can prove; `proctor verify` does the same for any branch."
    )?;
    Ok(text)
}
