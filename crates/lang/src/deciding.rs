//! The part of a mixed file that decides how tests run, as a canonical text: two versions of a file whose parts
//! are equal run the tests the same way. Judges nothing.

use crate::tree::parent;
use toml::{Table, Value};

/// The deciding tables of a manifest or configuration file; none for a file that has no such part. A file that
/// can't be read as what its name says is its own whole text: any change of it shows.
pub fn deciding_part(path: &str, bytes: &[u8]) -> Option<String> {
    let name = path.strip_prefix(parent(path)).unwrap_or(path).trim_start_matches('/');
    let text = String::from_utf8_lossy(bytes);
    match name {
        "pyproject.toml" => Some(from_toml(&text, pyproject)),
        "Cargo.toml" => Some(from_toml(&text, cargo)),
        "setup.cfg" => Some(setup_cfg(&text)),
        "package.json" => Some(package_json(&text)),
        "go.mod" => Some(go_mod(&text)),
        "pom.xml" => Some(pom(&text)),
        _ => None,
    }
}

/// Scripts, the tables of test tools, and what leads an import elsewhere.
fn package_json(text: &str) -> String {
    const KEYS: [&str; 13] = [
        "scripts",
        "jest",
        "vitest",
        "mocha",
        "ava",
        "tap",
        "babel",
        "nyc",
        "c8",
        "workspaces",
        "overrides",
        "resolutions",
        "imports",
    ];
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(serde_json::Value::Object(mut table)) => {
            table.retain(|key, _| KEYS.contains(&key.as_str()));
            serde_json::Value::Object(table).to_string()
        }
        _ => text.to_owned(),
    }
}

/// Everything but the list of required modules: what it is called, which Go builds it, what stands in for what.
fn go_mod(text: &str) -> String {
    let mut kept = Vec::new();
    let mut requires = false;
    for line in text.lines().map(|line| line.split("//").next().unwrap_or("").trim()) {
        match line {
            ")" if requires => requires = false,
            _ if requires || line.is_empty() || line.starts_with("require ") => {
                requires = requires || line.ends_with('(');
            }
            _ => kept.push(line.split_whitespace().collect::<Vec<_>>().join(" ")),
        }
    }
    kept.join("\n")
}

/// The build, its profiles and modules, the parent that it inherits from, and properties that steer plugins.
fn pom(text: &str) -> String {
    let Ok(document) = roxmltree::Document::parse(text) else {
        return text.to_owned();
    };
    let source = |node: roxmltree::Node<'_, '_>| {
        let text = text.get(node.range()).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let mut kept = Vec::new();
    for node in document.root_element().children().filter(roxmltree::Node::is_element) {
        match node.tag_name().name() {
            "build" | "profiles" | "parent" | "modules" => kept.push(source(node)),
            "properties" => {
                let steers = |node: &roxmltree::Node<'_, '_>| {
                    let name = node.tag_name().name().to_lowercase();
                    ["test", "skip", "surefire", "failsafe", "maven.", "argline"]
                        .iter()
                        .any(|word| name.contains(word))
                };
                kept.extend(node.children().filter(|n| n.is_element() && steers(n)).map(source));
            }
            _ => {}
        }
    }
    kept.join("\n")
}

fn from_toml(text: &str, choose: fn(&Table) -> Table) -> String {
    match toml::from_str::<Table>(text) {
        Ok(table) => choose(&table).to_string(),
        Err(_) => text.to_owned(),
    }
}

fn pyproject(table: &Table) -> Table {
    let mut part = Table::new();
    if let Some(tool) = table.get("tool").and_then(Value::as_table) {
        keep(tool, &["pytest", "coverage", "tox"], &mut part);
    }
    part
}

fn cargo(table: &Table) -> Table {
    let mut part = Table::new();
    keep(table, &["test", "bench", "profile", "patch", "replace"], &mut part);
    let target = &["test", "harness", "doctest", "path", "required-features"];
    if let Some(lib) = table.get("lib").and_then(Value::as_table) {
        let mut kept = Table::new();
        keep(lib, target, &mut kept);
        put(&mut part, "lib", kept);
    }
    if let Some(package) = table.get("package").and_then(Value::as_table) {
        let mut kept = Table::new();
        let keys = ["autotests", "autolib", "autobins", "autobenches", "autoexamples", "build"];
        keep(package, &keys, &mut kept);
        put(&mut part, "package", kept);
    }
    // What a workspace leaves out is not tested.
    if let Some(workspace) = table.get("workspace").and_then(Value::as_table) {
        let mut kept = Table::new();
        keep(workspace, &["exclude", "default-members"], &mut kept);
        put(&mut part, "workspace", kept);
    }
    for kind in ["bin", "example"] {
        let Some(list) = table.get(kind).and_then(Value::as_array) else {
            continue;
        };
        let kept: Vec<Value> = list
            .iter()
            .filter_map(|entry| {
                let entry = entry.as_table()?;
                let mut kept = Table::new();
                keep(entry, &["test", "harness"], &mut kept);
                if kept.is_empty() {
                    return None;
                }
                keep(entry, &["name"], &mut kept);
                Some(Value::Table(kept))
            })
            .collect();
        if !kept.is_empty() {
            part.insert(kind.to_owned(), Value::Array(kept));
        }
    }
    part
}

fn keep(from: &Table, keys: &[&str], into: &mut Table) {
    for key in keys {
        if let Some(value) = from.get(*key) {
            into.insert((*key).to_owned(), value.clone());
        }
    }
}

fn put(part: &mut Table, key: &str, kept: Table) {
    if !kept.is_empty() {
        part.insert(key.to_owned(), Value::Table(kept));
    }
}

fn setup_cfg(text: &str) -> String {
    let mut kept = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if let Some(section) = section_name(line) {
            inside = section == "tool:pytest"
                || section == "coverage"
                || section.starts_with("coverage:");
        }
        let bare = line.trim();
        if inside && !bare.is_empty() && !bare.starts_with(['#', ';']) {
            kept.push(line.trim_end());
        }
    }
    kept.join("\n")
}

fn section_name(line: &str) -> Option<&str> {
    line.trim_end().strip_prefix('[')?.strip_suffix(']')
}

/// Whether an ini file has this section.
pub fn has_ini_section(text: &str, name: &str) -> bool {
    text.lines().any(|line| section_name(line) == Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(path: &str, text: &str) -> String {
        deciding_part(path, text.as_bytes()).unwrap()
    }

    #[test]
    fn a_new_dependency_does_not_change_the_deciding_part() {
        let before =
            "[package]\nname = \"a\"\n[dependencies]\nserde = \"1\"\n[[test]]\nname = \"x\"\n";
        let after = "[dependencies]\nserde = \"1\"\nlog = \"0.4\"\n\n[[test]]\nname = \"x\"\n[package]\nname = \"a\"\nversion = \"2.0.0\"\n";
        assert_eq!(part("Cargo.toml", before), part("a/Cargo.toml", after));
    }

    #[test]
    fn switching_tests_off_in_a_manifest_changes_it() {
        let before = part("Cargo.toml", "[package]\nname = \"a\"\n");
        for after in [
            "[package]\nname = \"a\"\nautotests = false\n",
            "[package]\nname = \"a\"\n[lib]\ntest = false\n",
            "[package]\nname = \"a\"\n[[test]]\nname = \"x\"\nharness = false\n",
            "[package]\nname = \"a\"\n[[bin]]\nname = \"x\"\ntest = false\n",
            "[package]\nname = \"a\"\n[patch.crates-io]\nserde = { path = \"x\" }\n",
            "[package]\nname = \"a\"\nbuild = \"evil.rs\"\n",
            "[package]\nname = \"a\"\n[profile.test]\ndebug-assertions = false\n",
        ] {
            assert_ne!(part("Cargo.toml", after), before, "{after}");
        }
    }

    #[test]
    fn python_options_of_the_runner_are_seen_and_others_are_not() {
        let before = "[project]\nname = \"a\"\n[tool.pytest.ini_options]\naddopts = \"-q\"\n";
        assert_eq!(
            part("pyproject.toml", before),
            part("pyproject.toml", &format!("{before}[tool.ruff]\nline-length = 9\n"))
        );
        assert_ne!(
            part("pyproject.toml", before),
            part("pyproject.toml", &before.replace("-q", "--collect-only"))
        );
        let cfg = "[metadata]\nname = a\n[tool:pytest]\naddopts = -q\n[coverage:run]\nbranch = 1\n";
        assert_eq!(
            part("setup.cfg", cfg),
            "[tool:pytest]\naddopts = -q\n[coverage:run]\nbranch = 1"
        );
    }

    #[test]
    fn what_steers_the_tests_of_a_package_a_module_or_a_pom_is_seen_and_dependencies_are_not() {
        let package = "{\"name\": \"a\", \"scripts\": {\"test\": \"jest\"}, \"dependencies\": {}}";
        assert_eq!(
            part("package.json", package),
            part("web/package.json", &package.replace("{}}", "{\"b\": \"1\"}}"))
        );
        for (from, to) in [("jest", "true"), ("{}}", "{}, \"jest\": {\"bail\": 1}}")] {
            assert_ne!(
                part("package.json", package),
                part("package.json", &package.replace(from, to))
            );
        }
        let module = "module a\n\ngo 1.22\n\nrequire (\n\tb v1.0.0 // indirect\n)\n";
        assert_eq!(part("go.mod", module), "module a\ngo 1.22");
        let more = module.replace("b v1.0.0", "b v1.1.0\n\tc v1.0.0");
        assert_eq!(part("go.mod", module), part("go.mod", &format!("{more}require d v1.0.0\n")));
        let replaced = format!("{module}replace b => ./fake\n");
        assert_ne!(part("go.mod", module), part("go.mod", &replaced));
        let pom = "<project><version>1</version><dependencies/><properties><a>1</a></properties><build><plugins/></build></project>";
        let bumped = pom.replace("<version>1<", "<version>2<").replace("<a>1<", "<a>2<");
        assert_eq!(part("pom.xml", pom), part("pom.xml", &bumped));
        let skips = pom.replace("<a>1</a>", "<skipTests>true</skipTests>");
        let plugs = pom.replace("<plugins/>", "<plugins><plugin/></plugins>");
        assert!([skips, plugs].iter().all(|p| part("pom.xml", pom) != part("pom.xml", p)));
    }

    #[test]
    fn other_files_have_no_deciding_part_and_a_broken_one_is_its_whole_text() {
        assert_eq!(deciding_part("src/lib.rs", b"x"), None);
        assert_eq!(part("Cargo.toml", "[oops"), "[oops");
    }
}
