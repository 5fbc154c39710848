//! The JSON messages of a cargo build: test binaries with their ids, what else was built, and the errors that kept
//! targets from being built. Who would supply a missing name is `missing`'s.

use super::harness::Harness;
use super::missing::Names;
use super::surroundings;
use crate::ask::Ask;
use proctor_core::report::{CollectError, Place, Reason};
use proctor_lang::child_file;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What a build gave.
#[derive(Clone, Debug, Default)]
pub(crate) struct Build {
    pub finished: bool,
    pub binaries: Vec<TestBinary>,
    pub errors: Vec<CollectError>,
    /// What kept the compiler from working and is not the project's, with what to do.
    pub trouble: Option<String>,
    /// Folders that build scripts told the linker of: tests may need them to load.
    pub linked_paths: Vec<PathBuf>,
    /// The project's programs: package, name, file.
    pub programs: Vec<(String, String, PathBuf)>,
    /// The project's libraries that may hold doctests.
    pub libraries: Vec<Library>,
    /// What build scripts set for a package's code, its `OUT_DIR` included.
    pub script_env: BTreeMap<String, Vec<(String, String)>>,
    /// Packages whose library was built as a test, and as it is used.
    tested_libraries: BTreeSet<String>,
    plain_libraries: BTreeSet<String>,
    /// Those of the latter that cargo had kept.
    kept_libraries: BTreeSet<String>,
    /// Packages of the tree that cargo did not build again: it trusts times, and what it kept may be of another
    /// tree.
    pub stale: BTreeSet<String>,
}

/// A library target of the project with `doctest` on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Library {
    pub package: String,
    /// The folder of its manifest.
    pub folder: PathBuf,
    /// The name that code uses for it.
    pub crate_name: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TestBinary {
    /// nextest's binary id: `pkg`, `pkg::integration`, `pkg::bin/name`.
    pub id: String,
    pub executable: PathBuf,
    pub manifest: PathBuf,
    pub package: String,
    pub version: String,
    /// `lib`, `test`, `bin`, `proc-macro`, …
    pub kind: String,
    pub harness: Harness,
}

#[derive(Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
enum Message {
    CompilerArtifact {
        package_id: String,
        manifest_path: PathBuf,
        target: Target,
        profile: Profile,
        executable: Option<PathBuf>,
        #[serde(default)]
        fresh: bool,
    },
    #[serde(rename = "compiler-message")]
    Said {
        message: Diagnostic,
    },
    BuildScriptExecuted {
        package_id: String,
        #[serde(default)]
        linked_paths: Vec<String>,
        #[serde(default)]
        env: Vec<(String, String)>,
        #[serde(default)]
        out_dir: String,
    },
    BuildFinished,
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
    name: String,
    #[serde(default)]
    doctest: bool,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Diagnostic {
    pub message: String,
    pub level: String,
    #[serde(default)]
    pub code: Option<Code>,
    #[serde(default)]
    pub spans: Vec<Span>,
    #[serde(default)]
    pub children: Vec<Diagnostic>,
    #[serde(default)]
    pub rendered: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Code {
    pub code: String,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Span {
    pub file_name: String,
    pub line_start: u32,
    pub is_primary: bool,
    #[serde(default)]
    pub label: Option<String>,
    #[serde(default)]
    pub text: Vec<SpanText>,
    /// Where it is inside of a macro: where that is called.
    #[serde(default)]
    expansion: Option<Box<Expansion>>,
}

#[derive(Clone, Debug, Deserialize)]
struct Expansion {
    span: Span,
}

impl Span {
    /// Where somebody wrote what came to this: the call of the outermost macro around it.
    fn written(&self) -> &Self {
        self.expansion.as_ref().map_or(self, |expansion| expansion.span.written())
    }
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SpanText {
    pub text: String,
    pub highlight_start: usize,
    pub highlight_end: usize,
}

impl Build {
    pub(crate) fn read(ask: &Ask, stdout: &[u8]) -> Self {
        let mut build = Self::default();
        let mut names = None;
        for line in stdout.split(|b| *b == b'\n').filter(|l| l.starts_with(b"{")) {
            let Ok(message) = serde_json::from_slice::<Message>(line) else {
                continue;
            };
            match message {
                Message::CompilerArtifact {
                    package_id,
                    manifest_path,
                    target,
                    profile,
                    executable,
                    fresh,
                } => {
                    if !is_path(&package_id) {
                        continue;
                    }
                    let (package, version) = package_of(&package_id, &manifest_path);
                    if fresh && is_below(&manifest_path, &ask.tree) {
                        build.stale.insert(package.clone());
                        if is_library(&target) && !profile.test {
                            build.kept_libraries.insert(package.clone());
                        }
                    }
                    let made = Built { package, version, manifest: manifest_path, target };
                    build.artifact(made, profile.test, executable);
                }
                Message::Said { message } if message.level.starts_with("error") => {
                    let text = message.rendered.as_deref().unwrap_or(&message.message);
                    // An error that points at a source is the source's, whatever it says.
                    let hint = message
                        .spans
                        .is_empty()
                        .then(|| surroundings::hint_for_build(&message.message, text))
                        .flatten();
                    if let Some(hint) = hint {
                        build.trouble.get_or_insert(format!("{}\nhint: {hint}", text.trim_end()));
                        continue;
                    }
                    let names = names.get_or_insert_with(|| Names::of(ask));
                    build.errors.extend(collect_error(&message, names));
                }
                Message::BuildScriptExecuted { package_id, linked_paths, mut env, out_dir } => {
                    let paths = linked_paths
                        .iter()
                        .map(|p| PathBuf::from(p.split_once('=').map_or(p.as_str(), |(_, p)| p)));
                    build.linked_paths.extend(paths);
                    env.push(("OUT_DIR".to_owned(), out_dir));
                    build.script_env.insert(package_of(&package_id, Path::new("")).0, env);
                }
                Message::BuildFinished => build.finished = true,
                Message::Said { .. } | Message::Other => {}
            }
        }
        // The compiler reports an error of a library once for the library and once for its tests.
        let mut unique: Vec<CollectError> = Vec::new();
        for error in std::mem::take(&mut build.errors) {
            if !unique.contains(&error) {
                unique.push(error);
            }
        }
        build.errors = unique;
        build.binaries.sort_by(|a, b| a.id.cmp(&b.id));
        build.libraries.sort();
        build.libraries.dedup();
        build
    }

    /// Sorts an artifact of one of the project's packages.
    fn artifact(&mut self, built: Built, is_test: bool, executable: Option<PathBuf>) {
        let Built { package, version, manifest, target } = built;
        let kind = target.kind.first().map_or("lib", String::as_str).to_owned();
        let is_library = is_library(&target);
        if is_library {
            let built =
                if is_test { &mut self.tested_libraries } else { &mut self.plain_libraries };
            built.insert(package.clone());
        }
        if target.doctest && is_library {
            let folder = manifest.parent().map(PathBuf::from).unwrap_or_default();
            let crate_name = target.name.replace('-', "_");
            self.libraries.push(Library { package: package.clone(), folder, crate_name });
        }
        match executable {
            Some(executable) if is_test => {
                let id = match kind.as_str() {
                    "test" => format!("{package}::{}", target.name),
                    "bin" | "example" | "bench" => format!("{package}::{kind}/{}", target.name),
                    _ => package.clone(),
                };
                let table = child_file::read_to_string(&manifest)
                    .ok()
                    .and_then(|text| toml::from_str::<toml::Table>(&text).ok())
                    .unwrap_or_default();
                let harness = Harness::of(&table, &kind, &target.name);
                self.binaries.push(TestBinary {
                    id,
                    executable,
                    manifest,
                    package,
                    version,
                    kind,
                    harness,
                });
            }
            Some(executable) if kind == "bin" => {
                self.programs.push((package, target.name, executable));
            }
            _ => {}
        }
    }

    /// Packages whose library was built only as a test.
    pub(crate) fn half_built(&self) -> BTreeSet<String> {
        self.tested_libraries.difference(&self.plain_libraries).cloned().collect()
    }

    /// Adds the build of the libraries that were half built.
    pub(crate) fn with_libraries(mut self, libraries: Self) -> Self {
        for error in libraries.errors {
            if !self.errors.contains(&error) {
                self.errors.push(error);
            }
        }
        self.finished &= libraries.finished;
        self.trouble = self.trouble.or(libraries.trouble);
        self.stale = libraries.kept_libraries.intersection(&self.half_built()).cloned().collect();
        self
    }
}

/// One target of a package of the project.
struct Built {
    package: String,
    version: String,
    manifest: PathBuf,
    target: Target,
}

fn is_library(target: &Target) -> bool {
    target.kind.iter().any(|kind| kind == "proc-macro" || kind.ends_with("lib"))
}

fn is_path(package_id: &str) -> bool {
    package_id.starts_with("path+")
}

fn is_below(manifest: &Path, tree: &Path) -> bool {
    manifest.starts_with(tree) || tree.canonicalize().is_ok_and(|real| manifest.starts_with(real))
}

/// Name and version out of `path+file:///a/name#1.0.0` or `path+file:///a/b#name@1.0.0`.
fn package_of(package_id: &str, manifest: &Path) -> (String, String) {
    let (place, fragment) = package_id.rsplit_once('#').unwrap_or((package_id, ""));
    if let Some((name, version)) = fragment.rsplit_once('@') {
        return (name.to_owned(), version.to_owned());
    }
    let folder =
        manifest.parent().and_then(Path::file_name).map(|n| n.to_string_lossy().into_owned());
    let name = place.rsplit('/').next().filter(|n| !n.is_empty()).map(str::to_owned);
    (name.or(folder).unwrap_or_default(), fragment.to_owned())
}

fn collect_error(message: &Diagnostic, names: &Names) -> Option<CollectError> {
    // The summary line that closes a failed target.
    if message.spans.is_empty() && message.message.starts_with("aborting due to") {
        return None;
    }
    let primary = message.spans.iter().find(|s| s.is_primary).or(message.spans.first());
    let place = primary
        .map(Span::written)
        .map(|span| Place { file: names.place(&span.file_name), line: Some(span.line_start) });
    let text = message.rendered.clone().unwrap_or_else(|| message.message.clone());
    let reason = match names.missing(message) {
        Some((name, owner)) => Reason::Missing { name, owner, message: text, place: place.clone() },
        None => Reason::Other { message: text, place: place.clone() },
    };
    Some(CollectError {
        place: place.unwrap_or(Place { file: "Cargo.toml".to_owned(), line: None }),
        reason,
    })
}

#[cfg(test)]
mod tests {
    use super::Span;

    #[test]
    fn an_error_inside_of_a_macro_is_where_the_outermost_one_is_called() {
        let at = |line: u32, expansion: &str| {
            format!(r#"{{"file_name":"a.rs","line_start":{line},"is_primary":true{expansion}}}"#)
        };
        let around =
            |span: &str| format!(r#","expansion":{{"span":{span},"macro_decl_name":"m!"}}"#);
        let inner = at(7, &around(&at(30, &around(&at(90, "")))));
        let span: Span = serde_json::from_str(&inner).unwrap();
        assert_eq!(span.written().line_start, 90);
        let plain: Span = serde_json::from_str(&at(7, "")).unwrap();
        assert_eq!(plain.written().line_start, 7);
    }
}
