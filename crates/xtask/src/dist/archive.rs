//! The binary by itself: an archive for curl and `cargo binstall`, the list of its parts, and the script that installs it.

use crate::dist::binary::{Binary, Machine};
use crate::dist::pack::{Entry, gz, tar};
use crate::dist::sbom::sbom;
use crate::dist::{Extras, Facts, Made};
use anyhow::Result;

pub fn archive_name(machine: Machine) -> String {
    format!("proctor-{}.tar.gz", machine.triple)
}

pub fn archive(facts: &Facts, binary: &Binary, extras: &Extras) -> Result<Made> {
    let mut entries = vec![
        Entry::program("proctor", binary.bytes.clone()),
        Entry::file("README.md", facts.readme()?),
        Entry::file("CHANGELOG.md", facts.file("CHANGELOG.md")?),
        Entry::file("proctor.1", extras.manual.clone()),
        Entry::file("completions/proctor.bash", extras.bash.clone()),
        Entry::file("completions/_proctor", extras.zsh.clone()),
        Entry::file("completions/proctor.fish", extras.fish.clone()),
    ];
    entries.extend(facts.licences()?);
    let folder = format!("proctor-{}", binary.machine.triple);
    let entries: Vec<Entry> = entries.into_iter().map(|entry| entry.below(&folder)).collect();
    Ok(Made { name: archive_name(binary.machine), bytes: gz(&tar(&entries)?)? })
}

pub fn parts_list(facts: &Facts, machine: Machine) -> Result<Made> {
    let name = format!("proctor-{}.cdx.json", machine.triple);
    Ok(Made { name, bytes: sbom(&facts.root, machine.triple)?.into_bytes() })
}

pub fn installer(facts: &Facts) -> Result<Made> {
    Ok(Made {
        name: "install.sh".to_owned(),
        bytes: facts.file("packaging/install.sh")?.into_bytes(),
    })
}
