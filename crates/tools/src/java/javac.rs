//! javac's diagnostics in their raw form, as files that could not be compiled: where, which name is missing, and whose
//! code would hold it.

use super::{reports, surefire};
use crate::ask::{Ask, StepOutput, slashed};
use proctor_core::report::{CollectError, Owner, Place, Reason};
use proctor_lang::Language;
use proctor_lang::child_file;
use proctor_lang::java::items;
use proctor_lang::tree::{FolderTree, Tree, text};
use proctor_lang::zone::{Zone, has_ending, zone};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The files with javac's arguments that Maven left, of those modules that have no test result.
pub(super) fn argument_files(ask: &Ask) -> Vec<PathBuf> {
    let reported = surefire::reported_modules(ask);
    let pattern = "**/target/org.codehaus.plexus.compiler.javac.JavacCompiler*arguments";
    let mut files = reports::find(ask, &[pattern.to_owned()]);
    files.retain(|file| {
        let module = file.ancestors().nth(2).and_then(|m| m.strip_prefix(&ask.tree).ok());
        module.is_none_or(|module| !reported.contains(&slashed(module)))
    });
    files
}

/// What the javac steps said, step by step for the files they were given.
pub(super) fn errors(ask: &Ask, steps: &[StepOutput]) -> Vec<CollectError> {
    let names = Names::of(ask);
    let mut found: Vec<CollectError> = Vec::new();
    for (file, step) in argument_files(ask).iter().zip(steps) {
        let sources = sources(ask, file);
        let said = String::from_utf8_lossy(&step.stderr);
        for raw in said.lines().filter_map(Raw::read) {
            let error = names.error(&raw, &sources);
            if !found.contains(&error) {
                found.push(error);
            }
        }
    }
    found
}

/// The sources that javac was given, relative to the tree.
fn sources(ask: &Ask, arguments: &Path) -> Vec<String> {
    let real = ask.tree.canonicalize().unwrap_or_else(|_| ask.tree.clone());
    let text = child_file::read_to_string(arguments).unwrap_or_default();
    text.lines()
        .map(|line| PathBuf::from(line.trim().trim_matches('"').replace("\\\\", "\\")))
        .filter(|path| path.extension().is_some_and(|e| e == "java"))
        .filter_map(|path| {
            let inside = path.strip_prefix(&ask.tree).or_else(|_| path.strip_prefix(&real)).ok()?;
            Some(slashed(inside))
        })
        .collect()
}

/// `CartTest.java:7:58: compiler.err.cant.resolve.location.args: kindname.method, total, …`.
#[derive(Debug, PartialEq, Eq)]
struct Raw<'a> {
    /// The file's bare name.
    file: &'a str,
    line: u32,
    code: &'a str,
    arguments: Vec<&'a str>,
}

impl<'a> Raw<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let (place, said) = line.split_once(": compiler.err.")?;
        let mut parts = place.splitn(3, ':');
        let (file, number) = (parts.next()?, parts.next()?);
        let (code, arguments) = said.split_once(": ").unwrap_or((said, ""));
        let line = number.parse().ok().filter(|_| has_ending(file, "java"))?;
        Some(Self { file, line, code, arguments: split(arguments) })
    }

    fn argument(&self, at: usize) -> &'a str {
        self.arguments.get(at).copied().unwrap_or_default()
    }

    fn in_words(&self) -> String {
        let arguments = self.arguments.join(", ");
        if arguments.is_empty() {
            self.code.to_owned()
        } else {
            format!("{}: {arguments}", self.code)
        }
    }
}

/// The arguments of a diagnostic: parted by a comma and a blank, save inside parentheses.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut from) = (0_usize, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 && text.get(at + 1..).is_some_and(|rest| rest.starts_with(' ')) => {
                parts.extend(text.get(from..at));
                from = at + 2;
            }
            _ => {}
        }
    }
    parts.extend(text.get(from..));
    parts
}

/// What is known of the tree's own names.
struct Names {
    tree: FolderTree,
    /// The full names of the tree's classes, and whose they are.
    classes: BTreeMap<String, Zone>,
    packages: BTreeSet<String>,
}

impl Names {
    fn of(ask: &Ask) -> Self {
        let tree = FolderTree::new(&ask.tree);
        let mut names = Self { tree, classes: BTreeMap::new(), packages: BTreeSet::new() };
        for path in names.tree.paths().into_iter().filter(|p| has_ending(p, "java")) {
            let package = names.package(&path);
            let stem = path.rsplit('/').next().unwrap_or(&path).trim_end_matches(".java");
            names.classes.insert(full(&package, stem), zone(&path));
            names.packages.insert(package);
        }
        names
    }

    fn package(&self, path: &str) -> String {
        let source = text(&self.tree, path).unwrap_or_default();
        Language::Java
            .parse(&source)
            .map(|t| items::package(t.root_node(), &source))
            .unwrap_or_default()
    }

    fn error(&self, raw: &Raw<'_>, sources: &[String]) -> CollectError {
        let file = self.file(raw, sources);
        let place = Place { file: file.clone(), line: Some(raw.line) };
        // Production code that does not compile is no test that waits for a name.
        let missing = if zone(&file) == Zone::Production { None } else { self.missing(raw, &file) };
        let at = Some(place.clone());
        let reason = match missing {
            Some((name, owner)) => {
                let message = format!("`{name}` does not exist as it is used ({})", raw.in_words());
                Reason::Missing { name, owner, message, place: at }
            }
            None => Reason::Other { message: raw.in_words(), place: at },
        };
        CollectError { place, reason }
    }

    /// The source that a bare file name means; of several the one whose line holds the name.
    fn file(&self, raw: &Raw<'_>, sources: &[String]) -> String {
        let named = |p: &&String| p.rsplit('/').next() == Some(raw.file);
        let holds = |p: &&String| {
            let at = usize::try_from(raw.line).unwrap_or_default().saturating_sub(1);
            let word = raw.argument(1);
            !word.is_empty()
                && text(&self.tree, p)
                    .is_some_and(|t| t.lines().nth(at).is_some_and(|l| l.contains(word)))
        };
        let candidates: Vec<&String> = sources.iter().filter(named).collect();
        let found = candidates.iter().copied().find(holds).or(candidates.first().copied());
        found.cloned().unwrap_or_else(|| raw.file.to_owned())
    }

    /// The missing name and its owner; none when the error is of another sort.
    fn missing(&self, raw: &Raw<'_>, file: &str) -> Option<(String, Owner)> {
        match raw.code {
            "doesnt.exist" => {
                let package = raw.argument(0);
                Some((package.to_owned(), self.owner_of_package(package)))
            }
            // A method or constructor that is there, but not for so many arguments.
            "cant.apply.symbol" if raw.argument(6) == "(compiler.misc.arg.length.mismatch)" => {
                let holder = raw.argument(5);
                let name = raw.argument(1);
                let constructor = raw.argument(0) == "kindname.constructor";
                let name =
                    if constructor { bare(holder).to_owned() } else { full(bare(holder), name) };
                Some((name, self.owner_of_class(holder)))
            }
            code if code.starts_with("cant.resolve") => Some(self.unresolved(raw, file)),
            _ => None,
        }
    }

    fn unresolved(&self, raw: &Raw<'_>, file: &str) -> (String, Owner) {
        let (kind, name) = (raw.argument(0), raw.argument(1));
        let location = raw.arguments.iter().find_map(|a| Location::read(a));
        if let Some(Location { kind: "kindname.package", holder }) = location {
            return (full(holder, name), self.owner_of_package(holder));
        }
        let source = text(&self.tree, file).unwrap_or_default();
        if let Some(holder) = imported_from(&source, name) {
            let owner = match self.classes.get(holder) {
                Some(_) => self.owner_of_class(holder),
                None => self.owner_of_package(holder),
            };
            return (full(holder, name), owner);
        }
        if matches!(kind, "kindname.class" | "kindname.interface" | "kindname.annotation") {
            // A bare class: production code of the same package could hold it.
            return (full(&self.package(file), name), Owner::Project);
        }
        match location {
            Some(location) => {
                let holder = bare(location.holder);
                (full(holder, name), self.owner_of_class(holder))
            }
            None => (name.to_owned(), Owner::TestItself),
        }
    }

    /// Whose code a class is; one inside another is its outermost's.
    fn owner_of_class(&self, name: &str) -> Owner {
        let mut name = bare(name);
        loop {
            match self.classes.get(name) {
                Some(Zone::Production) => return Owner::Project,
                Some(Zone::Test | Zone::Deciding) => return Owner::TestItself,
                None => {}
            }
            match name.rsplit_once('.') {
                Some((outer, _)) => name = outer,
                None => return Owner::Elsewhere,
            }
        }
    }

    /// A package near one of the project's own would be the project's: same beginning, beyond `com`, `org` and the like.
    fn owner_of_package(&self, package: &str) -> Owner {
        let parts: Vec<&str> = package.split('.').collect();
        let near = |own: &String| {
            let same = own.split('.').zip(&parts).take_while(|(a, b)| a == *b).count();
            let common = [
                "com", "org", "net", "io", "java", "javax", "jakarta", "de", "fr", "uk", "eu",
                "dev",
            ];
            let alone = parts.first().is_some_and(|first| !common.contains(first));
            same >= 2 || (same == 1 && alone)
        };
        if self.packages.iter().any(near) { Owner::Project } else { Owner::Elsewhere }
    }
}

/// Where javac looked for a name: `(compiler.misc.location: kindname.class, shop.Cart, null)`, or with a variable
/// `(compiler.misc.location.1: kindname.variable, cart, shop.Cart)`.
#[derive(Clone, Copy)]
struct Location<'a> {
    kind: &'a str,
    holder: &'a str,
}

impl<'a> Location<'a> {
    fn read(argument: &'a str) -> Option<Self> {
        let inner = argument.strip_prefix("(compiler.misc.location")?.strip_suffix(')')?;
        let (variant, arguments) = inner.split_once(": ")?;
        let parts = split(arguments);
        let holder = if variant == ".1" { parts.get(2) } else { parts.get(1) };
        Some(Self { kind: parts.first()?, holder: holder? })
    }
}

/// A class without its type arguments.
fn bare(class: &str) -> &str {
    class.split(['<', '[']).next().unwrap_or(class)
}

fn full(holder: &str, name: &str) -> String {
    if holder.is_empty() { name.to_owned() } else { format!("{holder}.{name}") }
}

/// What an import of the source says that holds the name.
fn imported_from<'s>(source: &'s str, name: &str) -> Option<&'s str> {
    source.lines().find_map(|line| {
        let path = line.trim().strip_prefix("import ")?.split(';').next()?.trim();
        let path = path.strip_prefix("static ").unwrap_or(path).trim();
        path.strip_suffix(name)?.strip_suffix('.')
    })
}
