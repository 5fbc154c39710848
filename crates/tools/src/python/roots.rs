//! The folders of a tree that Python imports from, and the project's own name, by the tree's metadata. Reads sources
//! below the tree and nothing else; what an environment holds is seen only inside it, by `proctor_probe.py`.

use crate::ask::{Ask, slashed};
use proctor_lang::child_file;
use proctor_lang::tree::{below, upward};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use toml::Value;

/// What the metadata of one tree says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Roots {
    /// Existing folders, absolute, the workdir first.
    pub folders: Vec<PathBuf>,
    /// Names of the distributions that the tree is the source of.
    pub projects: Vec<String>,
}

pub(crate) fn of(ask: &Ask) -> Roots {
    let workdir = ask.workdir();
    let mut roots = Roots { folders: vec![workdir.clone()], projects: Vec::new() };
    roots.add_folder(&workdir, "src", &ask.tree);
    for folder in upward(&slashed(Path::new(&ask.subdir))) {
        let at = ask.tree.join(folder);
        let read = |name: &str| child_file::read_to_string(ask.tree.join(below(folder, name))).ok();
        if let Some(table) =
            read("pyproject.toml").and_then(|t| toml::from_str::<toml::Table>(&t).ok())
        {
            let table = Value::Table(table);
            for path in from_pyproject(&table) {
                roots.add_folder(&at, &path, &ask.tree);
            }
            let names = [&["project", "name"][..], &["tool", "poetry", "name"][..]];
            roots.add_projects(names.iter().filter_map(|keys| get(&table, keys)?.as_str()));
        }
        if let Some(text) = read("setup.cfg") {
            let ini = ini(&text);
            for path in from_setup_cfg(&ini) {
                roots.add_folder(&at, &path, &ask.tree);
            }
            let key = ("metadata".to_owned(), "name".to_owned());
            roots.add_projects(ini.get(&key).map(String::as_str).into_iter());
        }
    }
    roots
}

/// A folder that was given for imports: where it lies in the user's own checkout, the same place in the tree is meant.
pub(crate) fn turned(ask: &Ask, given: PathBuf) -> PathBuf {
    let inside = ask.elsewhere.iter().find_map(|root| given.strip_prefix(root).ok());
    let place = inside.map(|rest| ask.tree.join(rest)).filter(|p| p.is_dir());
    match place {
        Some(place) if !given.starts_with(&ask.tree) => place,
        _ => given,
    }
}

impl Roots {
    /// Only what lies in the tree, and is there.
    fn add_folder(&mut self, from: &Path, path: &str, tree: &Path) {
        let mut at = from.to_owned();
        for part in Path::new(path).components() {
            match part {
                Component::Normal(name) => at.push(name),
                Component::CurDir => {}
                Component::ParentDir if at != tree => {
                    at.pop();
                }
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => return,
            }
        }
        if at.is_dir() && !self.folders.contains(&at) {
            self.folders.push(at);
        }
    }

    fn add_projects<'a>(&mut self, names: impl Iterator<Item = &'a str>) {
        for name in names.map(str::trim).filter(|n| !n.is_empty()) {
            if !self.projects.iter().any(|known| known == name) {
                self.projects.push(name.to_owned());
            }
        }
    }
}

fn get<'a>(value: &'a Value, keys: &[&str]) -> Option<&'a Value> {
    keys.iter().try_fold(value, |at, key| at.get(key))
}

/// A text, or a list of texts.
fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(list)) => {
            list.iter().filter_map(|v| Some(v.as_str()?.to_owned())).collect()
        }
        _ => Vec::new(),
    }
}

fn from_pyproject(table: &Value) -> Vec<String> {
    let tool = |keys: &[&str]| get(table.get("tool")?, keys);
    let mut found = Vec::new();
    for keys in [
        &["setuptools", "packages", "find", "where"][..],
        &["hatch", "build", "dev-mode-dirs"],
        &["pdm", "build", "package-dir"],
        &["maturin", "python-source"],
        &["uv", "build-backend", "module-root"],
        &["pytest", "ini_options", "pythonpath"],
        &["pytest", "pythonpath"],
    ] {
        // One text may hold several folders, as in an ini file.
        found
            .extend(texts(tool(keys)).iter().flat_map(|t| t.split_whitespace().map(str::to_owned)));
    }
    if let Some(Value::Table(names)) = tool(&["setuptools", "package-dir"]) {
        found.extend(names.iter().filter_map(|(name, dir)| above(name, dir.as_str()?)));
    }
    for keys in [&["hatch", "build", "targets", "wheel"][..], &["hatch", "build"]] {
        let Some(wheel) = tool(keys) else { continue };
        let packages = texts(wheel.get("packages"));
        found.extend(packages.iter().map(|path| proctor_lang::tree::parent(path).to_owned()));
        match wheel.get("sources") {
            Some(Value::Table(sources)) => {
                found.extend(sources.iter().filter_map(|(dir, to)| {
                    above(&to.as_str()?.trim_matches('/').replace('/', "."), dir)
                }));
            }
            list => found.extend(texts(list)),
        }
    }
    if let Some(Value::Array(packages)) = tool(&["poetry", "packages"]) {
        found.extend(packages.iter().filter_map(|p| Some(p.get("from")?.as_str()?.to_owned())));
    }
    found
}

/// The folder from which a package that lies in `dir` is imported as `name`; none where the two don't fit.
fn above(name: &str, dir: &str) -> Option<String> {
    let dir = dir.trim_matches('/');
    if name.is_empty() {
        return Some(dir.to_owned());
    }
    let inner = name.replace('.', "/");
    let rest = dir.strip_suffix(&inner)?;
    (rest.is_empty() || rest.ends_with('/')).then(|| rest.trim_end_matches('/').to_owned())
}

fn from_setup_cfg(ini: &BTreeMap<(String, String), String>) -> Vec<String> {
    let value = |section: &str, key: &str| ini.get(&(section.to_owned(), key.to_owned()));
    let mut found = Vec::new();
    for line in value("options", "package_dir").into_iter().flat_map(|v| v.lines()) {
        if let Some((name, dir)) = line.split_once('=') {
            found.extend(above(name.trim(), dir.trim()));
        }
    }
    for section in ["options.packages.find", "tool:pytest"] {
        let key = if section == "tool:pytest" { "pythonpath" } else { "where" };
        found.extend(
            value(section, key).into_iter().flat_map(|v| v.split_whitespace().map(str::to_owned)),
        );
    }
    found
}

/// The values of an ini file by section and key; a value goes on over the indented lines that follow.
pub(crate) fn ini(text: &str) -> BTreeMap<(String, String), String> {
    let mut found: BTreeMap<(String, String), String> = BTreeMap::new();
    let (mut section, mut at) = (String::new(), None);
    for line in text.lines() {
        let bare = line.trim();
        if bare.is_empty() || bare.starts_with(['#', ';']) {
            continue;
        }
        if let Some(name) = bare.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            (section, at) = (name.to_owned(), None);
        } else if line.starts_with([' ', '\t']) {
            if let Some(value) = at.as_ref().and_then(|key| found.get_mut(key)) {
                value.push('\n');
                value.push_str(bare);
            }
        } else if let Some((key, value)) = bare.split_once(['=', ':']) {
            let key = (section.clone(), key.trim().replace('-', "_"));
            found.insert(key.clone(), value.trim().to_owned());
            at = Some(key);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        from_pyproject(&Value::Table(toml::from_str(text).unwrap()))
    }

    #[test]
    fn each_build_tool_says_where_its_packages_lie() {
        for (text, wanted) in [
            ("[tool.setuptools.package-dir]\n\"\" = \"lib\"\n", "lib"),
            ("[tool.setuptools.package-dir]\n\"a.b\" = \"x/a/b\"\n", "x"),
            ("[tool.setuptools.packages.find]\nwhere = [\"lib\"]\n", "lib"),
            ("[tool.hatch.build.targets.wheel]\npackages = [\"lib/shop\"]\n", "lib"),
            ("[tool.hatch.build.targets.wheel]\nsources = [\"lib\"]\n", "lib"),
            ("[tool.hatch.build.targets.wheel.sources]\n\"lib/shop\" = \"shop\"\n", "lib"),
            ("[tool.poetry]\npackages = [{ include = \"shop\", from = \"lib\" }]\n", "lib"),
            ("[tool.pytest.ini_options]\npythonpath = \"lib\"\n", "lib"),
            ("[tool.maturin]\npython-source = \"python\"\n", "python"),
        ] {
            assert_eq!(found(text), [wanted], "{text}");
        }
        assert!(found("[tool.setuptools.package-dir]\nshop = \"code/other\"\n").is_empty());
    }

    #[test]
    fn setup_cfg_is_read_over_its_lines() {
        let ini = ini(
            "[metadata]\nname = shop\n[options]\npackage_dir =\n    = lib\n    # no\n    a = x/a\n[options.packages.find]\nwhere = lib2\n",
        );
        assert_eq!(from_setup_cfg(&ini), ["lib", "x", "lib2"]);
        assert_eq!(ini[&("metadata".to_owned(), "name".to_owned())], "shop");
    }

    #[test]
    fn a_folder_outside_the_tree_or_not_there_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let tree = dir.path().join("tree");
        std::fs::create_dir_all(tree.join("a/lib")).unwrap();
        std::fs::create_dir_all(dir.path().join("out")).unwrap();
        let mut roots = Roots::default();
        for path in ["lib", "../out", "../../out", "/etc", "no", "./lib", "../a/lib"] {
            roots.add_folder(&tree.join("a"), path, &tree);
        }
        assert_eq!(roots.folders, [tree.join("a/lib")]);
    }
}
