//! The JSON messages of a cargo build: test binaries with their ids, and the errors that kept targets from being
//! built. Who would supply a missing name is `cargo_missing`'s.

use crate::ask::Ask;
use crate::cargo_missing::Names;
use proctor_core::report::{CollectError, Place, Reason};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// What a build gave.
#[derive(Clone, Debug, Default)]
pub(crate) struct Build {
    pub finished: bool,
    pub binaries: Vec<TestBinary>,
    pub errors: Vec<CollectError>,
    /// Folders that build scripts told the linker of: tests may need them to load.
    pub linked_paths: Vec<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TestBinary {
    /// nextest's binary id: `pkg`, `pkg::integration`, `pkg::bin/name`.
    pub id: String,
    pub executable: PathBuf,
    pub manifest: PathBuf,
    pub package: String,
    pub version: String,
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
    },
    #[serde(rename = "compiler-message")]
    Said {
        message: Diagnostic,
    },
    BuildScriptExecuted {
        #[serde(default)]
        linked_paths: Vec<String>,
    },
    BuildFinished,
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
    name: String,
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
                } => {
                    if let (true, Some(executable)) = (profile.test, executable) {
                        let binary = test_binary(&package_id, manifest_path, &target, executable);
                        build.binaries.push(binary);
                    }
                }
                Message::Said { message } if message.level.starts_with("error") => {
                    let names = names.get_or_insert_with(|| Names::of(ask));
                    build.errors.extend(collect_error(&message, names));
                }
                Message::BuildScriptExecuted { linked_paths } => {
                    let paths = linked_paths
                        .iter()
                        .map(|p| PathBuf::from(p.split_once('=').map_or(p.as_str(), |(_, p)| p)));
                    build.linked_paths.extend(paths);
                }
                Message::BuildFinished => build.finished = true,
                Message::Said { .. } | Message::Other => {}
            }
        }
        // The compiler reports an error of a library once for the library and once for its tests.
        build.errors.dedup();
        let mut unique: Vec<CollectError> = Vec::new();
        for error in std::mem::take(&mut build.errors) {
            if !unique.contains(&error) {
                unique.push(error);
            }
        }
        build.errors = unique;
        build.binaries.sort_by(|a, b| a.id.cmp(&b.id));
        build
    }
}

fn test_binary(
    package_id: &str,
    manifest: PathBuf,
    target: &Target,
    executable: PathBuf,
) -> TestBinary {
    let (package, version) = package_of(package_id, &manifest);
    let kind = target.kind.first().map_or("lib", String::as_str);
    let id = match kind {
        "test" => format!("{package}::{}", target.name),
        "bin" | "example" | "bench" => format!("{package}::{kind}/{}", target.name),
        _ => package.clone(),
    };
    TestBinary { id, executable, manifest, package, version }
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
