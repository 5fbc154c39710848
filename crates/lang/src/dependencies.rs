//! Dependencies by name: what a manifest or a lock file asks for, and what is other in its next version. Names; never
//! judges, and looks nothing up.

use roxmltree::Document;
use serde_json::Value;
use std::collections::BTreeMap;

/// How many of one file are named.
const MOST: usize = 30;

/// What a file asks for: each name with its version or its requirement.
type Wanted = BTreeMap<String, String>;

/// Whether a file says which dependencies there are.
pub fn names_dependencies(path: &str) -> bool {
    reader(path).is_some()
}

/// What is other in a manifest or a lock file, in words: `Cargo.toml: adds serde 1.0`.
pub fn dependency_changes(path: &str, old: &[u8], new: &[u8]) -> Vec<String> {
    let Some(reader) = reader(path) else { return Vec::new() };
    if old == new {
        return Vec::new();
    }
    let read = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        match reader {
            Reader::Whole(read) => read(&text).unwrap_or_default(),
            Reader::Lines(read) => read(&text),
        }
    };
    let (before, after) = (read(old), read(new));
    let mut lines = Vec::new();
    for (name, version) in &after {
        match before.get(name) {
            None => lines.push(format!("{path}: adds {name} {version}").trim_end().to_owned()),
            Some(was) if was != version => {
                lines.push(format!("{path}: changes {name} from {was} to {version}"));
            }
            Some(_) => {}
        }
    }
    let gone = before.keys().filter(|name| !after.contains_key(*name));
    lines.extend(gone.map(|name| format!("{path}: drops {name}")));
    let more = lines.len().saturating_sub(MOST);
    lines.truncate(MOST);
    if more > 0 {
        lines.push(format!("{path}: {more} more"));
    }
    lines
}

/// How a file is read: some can be broken, of others every line that can be read counts.
enum Reader {
    Whole(fn(&str) -> Option<Wanted>),
    Lines(fn(&str) -> Wanted),
}

fn reader(path: &str) -> Option<Reader> {
    use Reader::{Lines, Whole};
    let name = path.rsplit('/').next().unwrap_or(path);
    Some(match name {
        "Cargo.toml" => Whole(cargo),
        "Cargo.lock" | "uv.lock" | "poetry.lock" | "pdm.lock" => Whole(packages),
        "pyproject.toml" => Whole(pyproject),
        "Pipfile" => Whole(pipfile),
        "package.json" => Whole(package_json),
        "package-lock.json" | "npm-shrinkwrap.json" => Whole(package_lock),
        "yarn.lock" => Lines(yarn),
        "pnpm-lock.yaml" => Lines(pnpm),
        "go.mod" => Lines(go_mod),
        "go.sum" => Lines(go_sum),
        "pom.xml" => Whole(pom),
        "build.gradle" | "build.gradle.kts" | "gradle.lockfile" => Lines(gradle),
        _ if is_list(name) => Lines(requirements),
        _ => return None,
    })
}

/// `requirements.txt`, `requirements-dev.txt`, `constraints.txt`.
fn is_list(name: &str) -> bool {
    let stem = name.strip_suffix(".txt").unwrap_or_default();
    stem.starts_with("requirements") || stem.starts_with("constraints")
}

fn cargo(text: &str) -> Option<Wanted> {
    let table: toml::Table = text.parse().ok()?;
    let mut found = Wanted::new();
    let mut tables = vec![&table];
    let nested =
        |table: &'_ toml::Table, key: &str| table.get(key).and_then(|v| v.as_table()).cloned();
    let workspace = nested(&table, "workspace").unwrap_or_default();
    tables.push(&workspace);
    let targets = nested(&table, "target").unwrap_or_default();
    tables.extend(targets.values().filter_map(toml::Value::as_table));
    for table in tables {
        for key in ["dependencies", "dev-dependencies", "build-dependencies"] {
            for (name, value) in
                table.get(key).and_then(toml::Value::as_table).into_iter().flatten()
            {
                found.insert(name.clone(), requirement(value));
            }
        }
    }
    Some(found)
}

/// A version, or everything that a table says.
fn requirement(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// `[[package]]` with name and version.
fn packages(text: &str) -> Option<Wanted> {
    let table: toml::Table = text.parse().ok()?;
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in table.get("package")?.as_array()? {
        let said = |key: &str| package.get(key).and_then(toml::Value::as_str);
        if let Some(name) = said("name") {
            // The source and the sum are part of what was locked.
            let from =
                [said("version"), said("checksum")].into_iter().flatten().collect::<Vec<_>>();
            found.entry(name.to_owned()).or_default().push(from.join(" "));
        }
    }
    Some(found.into_iter().map(|(name, versions)| (name, versions.join(", "))).collect())
}

fn pyproject(text: &str) -> Option<Wanted> {
    let table: toml::Table = text.parse().ok()?;
    let at = |keys: &[&str]| {
        keys.iter()
            .try_fold(toml::Value::Table(table.clone()), |value, key| value.get(key).cloned())
    };
    let mut found = Wanted::new();
    let mut list = |value: Option<toml::Value>| {
        for entry in value.as_ref().and_then(toml::Value::as_array).into_iter().flatten() {
            found.extend(entry.as_str().and_then(named));
        }
    };
    list(at(&["project", "dependencies"]));
    list(at(&["build-system", "requires"]));
    for group in [at(&["project", "optional-dependencies"]), at(&["dependency-groups"])] {
        for (_, value) in group.as_ref().and_then(toml::Value::as_table).into_iter().flatten() {
            list(Some(value.clone()));
        }
    }
    for keys in [&["tool", "poetry", "dependencies"][..], &["tool", "poetry", "dev-dependencies"]] {
        for (name, value) in at(keys).as_ref().and_then(toml::Value::as_table).into_iter().flatten()
        {
            found.insert(name.clone(), requirement(value));
        }
    }
    Some(found)
}

fn pipfile(text: &str) -> Option<Wanted> {
    let table: toml::Table = text.parse().ok()?;
    let of = |key: &str| table.get(key).and_then(toml::Value::as_table).into_iter().flatten();
    let all = of("packages").chain(of("dev-packages"));
    Some(all.map(|(name, value)| (name.clone(), requirement(value))).collect())
}

/// `requests[socks]>=2.0 ; python_version > "3"` as a name and the rest.
fn named(line: &str) -> Option<(String, String)> {
    let line = line.split(" #").next().unwrap_or_default().trim().trim_end_matches('\\').trim();
    let end =
        line.find(|c: char| !(c.is_alphanumeric() || "._-".contains(c))).unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    (!name.is_empty() && !line.starts_with(['#', '-']))
        .then(|| (name.to_lowercase(), rest.trim().to_owned()))
}

fn requirements(text: &str) -> Wanted {
    text.lines().filter_map(named).collect()
}

fn package_json(text: &str) -> Option<Wanted> {
    let value: Value = serde_json::from_str(text).ok()?;
    let keys = [
        "dependencies",
        "devDependencies",
        "peerDependencies",
        "optionalDependencies",
        "overrides",
    ];
    let tables = keys.iter().filter_map(|key| value.get(key)?.as_object());
    let all = tables.flatten();
    Some(all.map(|(name, value)| (name.clone(), said(value))).collect())
}

fn said(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn package_lock(text: &str) -> Option<Wanted> {
    let value: Value = serde_json::from_str(text).ok()?;
    let table = value.get("packages").or_else(|| value.get("dependencies"))?.as_object()?;
    let entry = |(path, about): (&String, &Value)| {
        let name = path.strip_prefix("node_modules/").unwrap_or(path).to_owned();
        let parts = ["version", "integrity"].iter().filter_map(|key| about.get(key)?.as_str());
        (!name.is_empty()).then(|| (name, parts.collect::<Vec<_>>().join(" ")))
    };
    Some(table.iter().filter_map(entry).collect())
}

/// A line that begins an entry, and its version below.
fn yarn(text: &str) -> Wanted {
    let (mut found, mut name) = (Wanted::new(), None);
    for line in text.lines() {
        if !line.starts_with([' ', '#']) && line.ends_with(':') {
            name = Some(line.trim_end_matches(':').trim_matches('"').to_owned());
        } else if let Some(rest) = line.trim().strip_prefix("version")
            && let Some(name) = name.take()
        {
            found.insert(name, rest.trim_start_matches(':').trim().trim_matches('"').to_owned());
        }
    }
    found
}

fn pnpm(text: &str) -> Wanted {
    let entry = |line: &str| {
        let name = line.strip_prefix("  ")?.strip_suffix(':')?.trim_matches(['\'', '/']);
        let at = name.rfind('@').filter(|at| *at > 0)?;
        (!name.starts_with(' ')).then(|| (name[..at].to_owned(), name[at + 1..].to_owned()))
    };
    text.lines().filter_map(entry).collect()
}

fn go_mod(text: &str) -> Wanted {
    let mut found = Wanted::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        let line = line.strip_prefix("require ").unwrap_or(line).trim_start_matches('(').trim();
        let mut words = line.split_whitespace();
        if let (Some(name), Some(version)) = (words.next(), words.next())
            && version.starts_with('v')
        {
            found.insert(name.to_owned(), version.to_owned());
        }
    }
    found
}

fn go_sum(text: &str) -> Wanted {
    let entry = |line: &str| {
        let mut words = line.split_whitespace();
        let (name, version, sum) = (words.next()?, words.next()?, words.next()?);
        (!version.ends_with("/go.mod")).then(|| (format!("{name} {version}"), sum.to_owned()))
    };
    text.lines().filter_map(entry).collect()
}

fn pom(text: &str) -> Option<Wanted> {
    let document = Document::parse(text).ok()?;
    let mut found = Wanted::new();
    let wanted = |name: &str| matches!(name, "dependency" | "plugin" | "parent");
    for node in document.descendants().filter(|node| wanted(node.tag_name().name())) {
        let part = |name: &str| {
            let part = node.children().find(|child| child.tag_name().name() == name);
            part.and_then(|part| part.text()).unwrap_or_default().trim().to_owned()
        };
        found.insert(format!("{}:{}", part("groupId"), part("artifactId")), part("version"));
    }
    Some(found)
}

/// `group:name:version` in quotes, or at the beginning of a line of a lock file.
fn gradle(text: &str) -> Wanted {
    let is_part = |c: char| c.is_alphanumeric() || "._-".contains(c);
    let mut found = Wanted::new();
    for word in text.split(|c: char| !(is_part(c) || c == ':')) {
        let parts: Vec<&str> = word.split(':').collect();
        if let [group, name, version] = parts.as_slice()
            && group.contains('.')
            && !name.is_empty()
            && version.starts_with(|c: char| c.is_ascii_digit())
        {
            found.insert(format!("{group}:{name}"), (*version).to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(path: &str, old: &str, new: &str) -> Vec<String> {
        dependency_changes(path, old.as_bytes(), new.as_bytes())
    }

    #[test]
    fn each_kind_of_file_names_what_is_new_changed_and_gone() {
        for (path, old, new, lines) in [
            (
                "Cargo.toml",
                "[dependencies]\na = \"1\"\nb = \"1\"\n",
                "[dependencies]\na = \"2\"\n[dev-dependencies]\nc = \"3\"\n",
                &["adds c 3", "changes a from 1 to 2", "drops b"][..],
            ),
            (
                "sub/Cargo.lock",
                "[[package]]\nname = \"a\"\nversion = \"1\"\n",
                "[[package]]\nname = \"a\"\nversion = \"1\"\n[[package]]\nname = \"evil\"\nversion = \"9\"\n",
                &["adds evil 9"],
            ),
            (
                "pyproject.toml",
                "[project]\ndependencies = [\"requests>=2\"]\n",
                "[project]\ndependencies = [\"requests>=3\", \"rich\"]\n[dependency-groups]\ndev = [\"pytest-x==1\"]\n",
                &["adds pytest-x ==1", "adds rich", "changes requests from >=2 to >=3"],
            ),
            (
                "requirements-dev.txt",
                "# c\nrequests==1\n-r base.txt\n",
                "requests==1 # same\nFlask>=2\n",
                &["adds flask >=2"],
            ),
            (
                "web/package.json",
                "{\"dependencies\": {\"left\": \"1\"}, \"scripts\": {}}",
                "{\"dependencies\": {\"left\": \"1\"}, \"devDependencies\": {\"right\": \"^2\"}}",
                &["adds right ^2"],
            ),
            (
                "package-lock.json",
                "{\"packages\": {\"\": {}, \"node_modules/a\": {\"version\": \"1\", \"integrity\": \"x\"}}}",
                "{\"packages\": {\"\": {}, \"node_modules/a\": {\"version\": \"1\", \"integrity\": \"y\"}}}",
                &["changes a from 1 x to 1 y"],
            ),
            ("yarn.lock", "", "a@^1:\n  version \"1.2\"\n", &["adds a@^1 1.2"]),
            (
                "pnpm-lock.yaml",
                "",
                "packages:\n  '@s/a@1.0.0':\n    resolution: x\n",
                &["adds @s/a 1.0.0"],
            ),
            (
                "go.mod",
                "module m\ngo 1.22\nrequire a.b/c v1.0.0\n",
                "module m\ngo 1.22\nrequire (\n\ta.b/c v1.1.0 // indirect\n\td.e/f v0.1.0\n)\n",
                &["adds d.e/f v0.1.0", "changes a.b/c from v1.0.0 to v1.1.0"],
            ),
            (
                "go.sum",
                "",
                "a.b/c v1.0.0 h1:x=\na.b/c v1.0.0/go.mod h1:y=\n",
                &["adds a.b/c v1.0.0 h1:x="],
            ),
            (
                "pom.xml",
                "<project/>",
                "<project><dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>1</version></dependency></dependencies></project>",
                &["adds g:a 1"],
            ),
            (
                "build.gradle.kts",
                "",
                "dependencies { testImplementation(\"org.junit:junit:5.1\") }",
                &["adds org.junit:junit 5.1"],
            ),
        ] {
            let expected: Vec<String> =
                lines.iter().map(|line| format!("{path}: {line}")).collect();
            let mut found = changes(path, old, new);
            found.sort();
            assert_eq!(found, expected, "{path}");
        }
    }

    #[test]
    fn other_files_other_tables_and_broken_ones_name_nothing() {
        assert!(changes("src/a.py", "a", "b").is_empty());
        assert!(
            changes("Cargo.toml", "[package]\nversion = \"1\"\n", "[package]\nversion = \"2\"\n")
                .is_empty()
        );
        assert!(changes("package.json", "{", "[1").is_empty());
        assert!(!names_dependencies("Cargo.toml.orig") && names_dependencies("a/go.sum"));
    }
}
