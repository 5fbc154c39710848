//! Imports of Python packages that are installed for development alone.

use super::{Parcel, Unshipped, joined};
use proctor_core::report::Place;
use proctor_lang::{Zone, zone};
use std::collections::BTreeSet;
use toml::{Table, Value};

/// What extras and groups for development are called.
const FOR_WORK: [&str; 8] = ["dev", "test", "tests", "testing", "lint", "docs", "develop", "ci"];

/// Whether a file is a list of requirements.
pub(super) fn is_list(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_prefix("requirements").is_some_and(|rest| rest.strip_suffix(".txt").is_some())
}

fn is_for_work(name: &str) -> bool {
    name.split(['-', '_', '.']).any(|word| FOR_WORK.contains(&word))
}

/// A requirement's name as an import writes it.
fn bare(requirement: &str) -> String {
    let end = requirement.find(|c: char| !c.is_alphanumeric() && !"-_.".contains(c));
    let name = requirement.get(..end.unwrap_or(requirement.len())).unwrap_or_default();
    name.trim().to_lowercase().replace(['-', '.'], "_")
}

/// The names that users get, and those that only developers do.
#[derive(Default)]
struct Asked {
    users: BTreeSet<String>,
    developers: BTreeSet<String>,
}

impl Asked {
    fn add(&mut self, for_work: bool, requirement: &str) {
        let own = if for_work { &mut self.developers } else { &mut self.users };
        own.insert(bare(requirement));
    }

    fn list(&mut self, for_work: bool, value: Option<&Value>) {
        for word in value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
        {
            self.add(for_work, word);
        }
    }

    fn keys(&mut self, for_work: bool, value: Option<&Value>) {
        for word in value.and_then(Value::as_table).into_iter().flat_map(Table::keys) {
            self.add(for_work, word);
        }
    }

    fn read(&mut self, project: &Table) {
        let own = project.get("project");
        self.list(false, own.and_then(|p| p.get("dependencies")));
        let extras = own.and_then(|p| p.get("optional-dependencies")?.as_table());
        for (name, list) in extras.into_iter().flatten() {
            self.list(is_for_work(name), Some(list));
        }
        for (_, list) in
            project.get("dependency-groups").and_then(Value::as_table).into_iter().flatten()
        {
            self.list(true, Some(list));
        }
        let poetry = project.get("tool").and_then(|t| t.get("poetry"));
        self.keys(false, poetry.and_then(|p| p.get("dependencies")));
        self.keys(true, poetry.and_then(|p| p.get("dev-dependencies")));
        let groups = poetry.and_then(|p| p.get("group")?.as_table());
        for (_, group) in groups.into_iter().flatten() {
            self.keys(true, group.get("dependencies"));
        }
    }
}

pub(super) fn undeclared(
    parcel: &Parcel<'_>,
    (file, lines): (&str, &BTreeSet<u32>),
    (project, root): (Option<&Table>, &str),
) -> Vec<Unshipped> {
    let mut asked = Asked::default();
    if let Some(project) = project {
        asked.read(project);
    }
    for path in parcel.paths.iter().filter(|path| is_list(path)) {
        let text = (parcel.text)(path).unwrap_or_default();
        for line in text.lines().filter(|line| !line.starts_with(['#', '-'])) {
            asked.add(is_for_work(path.trim_end_matches(".txt")), line);
        }
    }
    // What is said elsewhere is not known.
    for name in ["setup.py", "setup.cfg"] {
        let text = parcel.read(root, name).unwrap_or_default().to_lowercase().replace('-', "_");
        asked.developers.retain(|name| !text.contains(name.as_str()));
    }
    let text = (parcel.text)(file).unwrap_or_default();
    if zone(file) != Zone::Production || asked.developers.is_empty() {
        return Vec::new();
    }
    let all: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (n, line) in all.iter().enumerate() {
        let number = u32::try_from(n + 1).unwrap_or(u32::MAX);
        let Some(name) = imported(line).filter(|_| lines.contains(&number)) else { continue };
        let before = n.checked_sub(1).and_then(|n| all.get(n)).map_or("", |line| line.trim());
        let guarded = before == "try:" || before.contains("TYPE_CHECKING");
        if asked.developers.contains(&name) && !asked.users.contains(&name) && !guarded {
            found.push(Unshipped {
                place: Place { file: file.to_owned(), line: Some(number) },
                text: format!(
                    "{file}:{number} imports `{name}`, which {} asks for in development alone: users do not get it; accepted: `{name}` among the dependencies",
                    if project.is_some() { joined(root, "pyproject.toml") } else { "the requirements".to_owned() }
                ),
            });
        }
    }
    found
}

/// The package that a line imports.
fn imported(line: &str) -> Option<String> {
    let line = line.trim_start();
    let rest = line.strip_prefix("import ").or_else(|| line.strip_prefix("from "))?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    rest.get(..end).filter(|name| !name.is_empty()).map(str::to_lowercase)
}
