//! Packages of Python: what a wheel takes, as setuptools, hatchling and poetry are told.

use super::globs::{fits_below, part};
use super::{Goes, Parcel, Unshipped, below, imports, joined, left_out};
use proctor_lang::parent;
use std::collections::BTreeSet;
use toml::{Table, Value};

const MANIFESTS: [&str; 3] = ["pyproject.toml", "setup.cfg", "setup.py"];

pub(super) fn found(parcel: &Parcel<'_>, file: &str, lines: &BTreeSet<u32>) -> Vec<Unshipped> {
    let Some(root) = parcel.root_of(file, &MANIFESTS) else { return Vec::new() };
    let project = parcel.read(&root, "pyproject.toml").and_then(|text| text.parse::<Table>().ok());
    let mut all = Vec::new();
    let said = goes(parcel, project.as_ref(), &root);
    if let Some((manifest, says, goes)) = &said
        && (parcel.is_missed(file, &root, goes) || asked_for(parcel, file, &root, goes))
    {
        all.push(left_out(file, &joined(&root, manifest), says));
    }
    let users = said.map_or_else(|| is_packaged(parcel, file, &root), |(_, _, goes)| goes(file));
    if users {
        all.extend(imports::undeclared(parcel, (file, lines), (project.as_ref(), &root)));
    }
    all
}

/// Whether users get a file, where no manifest says which: it stands in a package, or a manifest names it as a module.
/// What builds the documents or runs the project's own errands does neither.
fn is_packaged(parcel: &Parcel<'_>, file: &str, root: &str) -> bool {
    let folder = parent(file);
    let stem = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".py");
    let named = |manifest: &str| {
        let text = parcel.read(root, manifest).unwrap_or_default();
        ['"', '\''].iter().any(|quote| text.contains(&format!("{quote}{stem}{quote}")))
    };
    parcel.paths.contains(joined(folder, "__init__.py").as_str())
        || MANIFESTS.iter().any(|manifest| named(manifest))
}

/// What of a wheel is said: the manifest, what it says, and which files that takes.
type Said<'a> = (&'static str, &'static str, Goes<'a>);

fn goes<'a>(parcel: &'a Parcel<'_>, project: Option<&Table>, root: &str) -> Option<Said<'a>> {
    let tool = project.and_then(|table| table.get("tool")?.as_table());
    let told = tool.and_then(|tool| {
        setuptools(parcel, tool, root).or_else(|| hatch(tool, root)).or_else(|| poetry(tool, root))
    });
    told.or_else(|| by_hand(parcel, root))
}

fn strings(value: Option<&Value>) -> Option<Vec<String>> {
    let list = value?.as_array()?;
    Some(list.iter().filter_map(|word| Some(word.as_str()?.to_owned())).collect())
}

/// A folder as the name of a package.
fn dotted(folder: &str) -> String {
    folder.replace('/', ".")
}

fn setuptools<'a>(parcel: &'a Parcel<'_>, tool: &Table, root: &str) -> Option<Said<'a>> {
    let told = tool.get("setuptools")?.as_table()?;
    let manifest = "pyproject.toml";
    let place = told.get("package-dir").and_then(|map| map.get("")?.as_str()).unwrap_or("");
    let base = joined(root, place).trim_end_matches(['/', '.']).to_owned();
    let modules = strings(told.get("py-modules"));
    match told.get("packages") {
        Some(Value::Array(_)) => {
            let packages = strings(told.get("packages")).unwrap_or_default();
            Some((
                manifest,
                "does not name it",
                listed(base, packages, modules.unwrap_or_default()),
            ))
        }
        Some(Value::Table(map)) => {
            let find = map.get("find")?.as_table()?;
            let places = strings(find.get("where")).unwrap_or_else(|| vec![place.to_owned()]);
            let base = joined(root, places.first().map_or("", String::as_str));
            let base = base.trim_end_matches(['/', '.']).to_owned();
            let include = strings(find.get("include")).unwrap_or_else(|| vec!["*".to_owned()]);
            let exclude = strings(find.get("exclude")).unwrap_or_default();
            let marked = find.get("namespaces").and_then(Value::as_bool) == Some(false);
            let goes = sought(parcel, base, (include, exclude), marked);
            Some((manifest, "does not find its folder", goes))
        }
        None => {
            let modules = modules?;
            Some((manifest, "does not name it", listed(base, Vec::new(), modules)))
        }
        Some(_) => None,
    }
}

/// Packages and modules by their names.
fn listed<'a>(base: String, packages: Vec<String>, modules: Vec<String>) -> Goes<'a> {
    Box::new(move |path: &str| {
        let Some(path) = below(&base, path) else { return false };
        match parent(path) {
            "" => modules.iter().any(|name| path == format!("{name}.py")),
            folder => packages.contains(&dotted(folder)),
        }
    })
}

/// Packages by patterns of their names; where they have to be marked, each folder needs an `__init__.py`.
fn sought<'a>(
    parcel: &'a Parcel<'_>,
    base: String,
    (include, exclude): (Vec<String>, Vec<String>),
    marked: bool,
) -> Goes<'a> {
    Box::new(move |path: &str| {
        let Some(own) = below(&base, path) else { return false };
        let folder = parent(own);
        if folder.is_empty() {
            return false;
        }
        let name = dotted(folder);
        let any = |words: &[String]| words.iter().any(|w| part(w.as_bytes(), name.as_bytes()));
        let mut above = folder;
        while marked && !above.is_empty() {
            let mark = joined(&base, &joined(above, "__init__.py"));
            if !parcel.paths.contains(mark.as_str()) {
                return false;
            }
            above = parent(above);
        }
        any(&include) && !any(&exclude)
    })
}

fn hatch<'a>(tool: &Table, root: &str) -> Option<Said<'a>> {
    let build = tool.get("hatch")?.get("build")?;
    let wheel = build.get("targets").and_then(|t| t.get("wheel"));
    let list = |key: &str| strings(wheel.and_then(|w| w.get(key)).or_else(|| build.get(key)));
    let taken = list("packages").or_else(|| list("only-include")).or_else(|| list("include"));
    let out = list("exclude").unwrap_or_default();
    if taken.is_none() && out.is_empty() {
        return None;
    }
    let root = root.to_owned();
    let goes = move |path: &str| {
        let Some(path) = below(&root, path) else { return false };
        let any = |words: &[String]| words.iter().any(|word| fits_below(word, path));
        taken.as_deref().is_none_or(any) && !any(&out)
    };
    Some(("pyproject.toml", "leaves it out of the wheel", Box::new(goes)))
}

fn poetry<'a>(tool: &Table, root: &str) -> Option<Said<'a>> {
    let told = tool.get("poetry")?.as_table()?;
    let packages = told.get("packages").and_then(Value::as_array);
    let out = strings(told.get("exclude")).unwrap_or_default();
    if packages.is_none() && out.is_empty() {
        return None;
    }
    let one = |value: &Value| {
        let from = value.get("from").and_then(Value::as_str).unwrap_or("");
        Some(joined(from, value.get("include")?.as_str()?))
    };
    let taken: Option<Vec<String>> = packages.map(|all| all.iter().filter_map(one).collect());
    let root = root.to_owned();
    let goes = move |path: &str| {
        let Some(path) = below(&root, path) else { return false };
        let any = |words: &[String]| words.iter().any(|word| fits_below(word, path));
        taken.as_deref().is_none_or(any) && !any(&out)
    };
    Some(("pyproject.toml", "leaves it out", Box::new(goes)))
}

/// `setup.cfg` and `setup.py`, as far as they name packages outright or seek marked folders.
fn by_hand<'a>(parcel: &'a Parcel<'_>, root: &str) -> Option<Said<'a>> {
    if let Some(text) = parcel.read(root, "setup.py") {
        let flat: String = text.split_whitespace().collect();
        if let Some(list) = flat.split_once("packages=[").and_then(|(_, rest)| rest.split_once(']'))
        {
            let goes = listed(root.to_owned(), quoted(list.0), quoted_after(&flat, "py_modules=["));
            return Some(("setup.py", "does not name it", goes));
        }
        if flat.contains("packages=find_packages()") {
            let all = (vec!["*".to_owned()], Vec::new());
            let goes = sought(parcel, root.to_owned(), all, true);
            return Some(("setup.py", "finds only folders with an `__init__.py`", goes));
        }
    }
    let text = parcel.read(root, "setup.cfg")?;
    let mut lines = text.lines().skip_while(|line| line.trim() != "[options]").skip(1);
    let mut rest = lines.by_ref().take_while(|line| !line.starts_with('['));
    let first = rest.find(|line| line.starts_with("packages"))?;
    let value = first.split_once('=')?.1.trim().to_owned();
    if value.starts_with("find") {
        return None;
    }
    let more = rest.take_while(|line| line.starts_with([' ', '\t'])).map(|l| l.trim().to_owned());
    let names = value.split(',').map(|word| word.trim().to_owned()).chain(more);
    let names: Vec<String> = names.filter(|word| !word.is_empty()).collect();
    Some(("setup.cfg", "does not name it", listed(root.to_owned(), names, Vec::new())))
}

fn quoted(list: &str) -> Vec<String> {
    list.split(',')
        .map(|word| word.trim_matches(['"', '\'']).to_owned())
        .filter(|word| !word.is_empty())
        .collect()
}

fn quoted_after(text: &str, word: &str) -> Vec<String> {
    let list = text.split_once(word).and_then(|(_, rest)| rest.split_once(']'));
    list.map(|(list, _)| quoted(list)).unwrap_or_default()
}

/// Whether a changed file that is in imports one that is new and not in.
fn asked_for(parcel: &Parcel<'_>, file: &str, root: &str, goes: &Goes<'_>) -> bool {
    if goes(file) || (parcel.base_has)(file) {
        return false;
    }
    let own = below(root, file).unwrap_or(file).trim_start_matches("src/");
    let module = own.trim_end_matches(".py").trim_end_matches("/__init__").replace('/', ".");
    let asks = |other: &String| {
        let text = (parcel.text)(other).unwrap_or_default();
        text.lines().map(str::trim_start).any(|line| {
            let named = line.strip_prefix("import ").or_else(|| line.strip_prefix("from "));
            named.is_some_and(|rest| {
                rest.split(|c: char| c.is_whitespace() || c == ',').next() == Some(module.as_str())
            })
        })
    };
    parcel.lines.keys().any(|other| other != file && goes(other) && asks(other))
}
