//! The npm packages: one with the binary for each kind of machine, and the launcher `proctor`, which depends on all of them and
//! gets the one that fits. No script runs at the installation.

use crate::dist::binary::{Binary, MACHINES, Machine};
use crate::dist::pack::{Entry, gz, tar};
use crate::dist::{Facts, Made};
use anyhow::Result;
use serde_json::{Value, json};

const LAUNCHER: &str = include_str!("launcher.js");
const SCOPE: &str = "@proctor-dev";

/// The package with the binary.
pub fn platform(facts: &Facts, binary: &Binary) -> Result<Made> {
    let machine = binary.machine;
    let mut about = common(facts, &format!("{SCOPE}/linux-{}", machine.npm));
    about["os"] = json!(["linux"]);
    about["cpu"] = json!([machine.npm]);
    about["libc"] = json!(["glibc"]);
    // Found by the launcher, and not to be packed into one file by yarn.
    about["preferUnplugged"] = json!(true);
    let program = Entry::program("bin/proctor", binary.bytes.clone());
    pack(facts, &about, vec![program], &platform_file(facts, machine))
}

/// The package that people name, for these machines.
pub fn launcher(facts: &Facts, machines: &[Machine]) -> Result<Made> {
    let mut about = common(facts, "proctor");
    about["bin"] = json!({ "proctor": "proctor.js" });
    about["engines"] = json!({ "node": ">=18" });
    for machine in machines {
        about["optionalDependencies"][format!("{SCOPE}/linux-{}", machine.npm)] =
            json!(facts.version);
    }
    let launcher = Entry::program("proctor.js", LAUNCHER);
    pack(facts, &about, vec![launcher], &format!("proctor-{}.tgz", facts.version))
}

/// The machines whose package lies in this folder.
pub fn packed(facts: &Facts, out: &std::path::Path) -> Vec<Machine> {
    let is_there = |machine: &Machine| out.join(platform_file(facts, *machine)).is_file();
    MACHINES.into_iter().filter(is_there).collect()
}

pub fn platform_file(facts: &Facts, machine: Machine) -> String {
    format!("proctor-dev-linux-{}-{}.tgz", machine.npm, facts.version)
}

fn common(facts: &Facts, name: &str) -> Value {
    json!({
        "name": name,
        "version": facts.version,
        "description": facts.summary,
        "license": facts.licence,
        "repository": { "type": "git", "url": format!("git+{}.git", facts.repository) },
    })
}

fn pack(facts: &Facts, about: &Value, mut files: Vec<Entry>, name: &str) -> Result<Made> {
    files.push(Entry::file("package.json", serde_json::to_string_pretty(about)? + "\n"));
    files.push(Entry::file("README.md", facts.readme()?));
    files.extend(facts.licences()?);
    let files: Vec<Entry> = files.into_iter().map(|file| file.below("package")).collect();
    Ok(Made { name: name.to_owned(), bytes: gz(&tar(&files)?)? })
}
