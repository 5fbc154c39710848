//! Linters and formatters that a project uses: found by its own files, how each is called, and what it said, in the same
//! words for all. Nothing is started here, and nothing is judged: what is new is found by comparing two trees.

mod said;

use crate::ask::StepOutput;
use proctor_core::audit::Remark;
use proctor_lang::tree::Tree;
use std::ffi::OsString;
use std::path::PathBuf;

pub use said::sarif;

/// A tool that remarks on sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Linter {
    Ruff,
    RuffFormat,
    Flake8,
    Black,
    Mypy,
    Pyright,
    Clippy,
    Rustfmt,
    GoVet,
    Gofmt,
    Staticcheck,
    Eslint,
    Prettier,
    Tsc,
    Semgrep,
    CargoDeny,
}

/// One call of a linter on one tree.
#[derive(Clone, Debug)]
pub struct LintAsk {
    /// Top of the tree.
    pub tree: PathBuf,
    /// The project's folder in it; empty for the top.
    pub dir: String,
    /// The changed files below that folder, from the top of the tree, as far as this tree has them.
    pub files: Vec<String>,
    /// The program as the caller found it.
    pub program: PathBuf,
}

/// Where a linter's program is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// Beside the project's python, else on the search path.
    Python(&'static str),
    /// Among the project's packages, else on the search path.
    Packages(&'static str),
    /// A part of cargo.
    Cargo,
    /// Beside go, else on the search path.
    Go(&'static str),
    Path(&'static str),
}

const PYTHON: &[&str] = &[".py", ".pyi"];
const SCRIPT: &[&str] = &[".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"];

impl Linter {
    pub const ALL: [Self; 16] = [
        Self::Ruff,
        Self::RuffFormat,
        Self::Flake8,
        Self::Black,
        Self::Mypy,
        Self::Pyright,
        Self::Clippy,
        Self::Rustfmt,
        Self::GoVet,
        Self::Gofmt,
        Self::Staticcheck,
        Self::Eslint,
        Self::Prettier,
        Self::Tsc,
        Self::Semgrep,
        Self::CargoDeny,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Ruff => "ruff",
            Self::RuffFormat => "ruff-format",
            Self::Flake8 => "flake8",
            Self::Black => "black",
            Self::Mypy => "mypy",
            Self::Pyright => "pyright",
            Self::Clippy => "clippy",
            Self::Rustfmt => "rustfmt",
            Self::GoVet => "go-vet",
            Self::Gofmt => "gofmt",
            Self::Staticcheck => "staticcheck",
            Self::Eslint => "eslint",
            Self::Prettier => "prettier",
            Self::Tsc => "tsc",
            Self::Semgrep => "semgrep",
            Self::CargoDeny => "cargo-deny",
        }
    }

    pub fn seat(self) -> Seat {
        match self {
            Self::Ruff | Self::RuffFormat => Seat::Python("ruff"),
            Self::Flake8 => Seat::Python("flake8"),
            Self::Black => Seat::Python("black"),
            Self::Mypy => Seat::Python("mypy"),
            Self::Pyright => Seat::Python("pyright"),
            Self::Clippy | Self::Rustfmt | Self::CargoDeny => Seat::Cargo,
            Self::GoVet => Seat::Go("go"),
            Self::Gofmt => Seat::Go("gofmt"),
            Self::Staticcheck => Seat::Path("staticcheck"),
            Self::Eslint => Seat::Packages("eslint"),
            Self::Prettier => Seat::Packages("prettier"),
            Self::Tsc => Seat::Packages("tsc"),
            Self::Semgrep => Seat::Path("semgrep"),
        }
    }

    /// By which of a folder's own files the project uses it.
    pub fn used_by(self, tree: &dyn Tree, dir: &str) -> Option<String> {
        let path =
            |name: &str| if dir.is_empty() { name.to_owned() } else { format!("{dir}/{name}") };
        let one_of = |names: &[&str]| {
            let found = names.iter().find(|name| tree.read(&path(name)).is_some());
            found.map(|name| path(name))
        };
        let table = |tool: &str| {
            let text = String::from_utf8(tree.read(&path("pyproject.toml"))?).ok()?;
            let read: toml::Table = text.parse().ok()?;
            tool.split('.')
                .try_fold(read.get("tool")?, |at, key| at.get(key))
                .map(|_| format!("[tool.{tool}] in {}", path("pyproject.toml")))
        };
        let section = |name: &str| {
            let has = |file: &&str| {
                let bytes = tree.read(&path(file)).unwrap_or_default();
                String::from_utf8_lossy(&bytes).lines().any(|l| l.trim() == format!("[{name}]"))
            };
            let found = ["setup.cfg", "tox.ini"].into_iter().find(|file| has(file));
            found.map(|file| format!("[{name}] in {}", path(file)))
        };
        let package = |key: &str| {
            let read: serde_json::Value =
                serde_json::from_slice(&tree.read(&path("package.json"))?).ok()?;
            read.get(key).map(|_| format!("{key} in {}", path("package.json")))
        };
        let lints = || {
            let text = String::from_utf8(tree.read(&path("Cargo.toml"))?).ok()?;
            let read: toml::Table = text.parse().ok()?;
            let own = read.get("lints").and_then(|lints| lints.get("clippy"));
            let shared = read.get("workspace").and_then(|all| all.get("lints")?.get("clippy"));
            own.or(shared).map(|_| format!("[lints.clippy] in {}", path("Cargo.toml")))
        };
        // A tool that works without any file of its own is the project's where its chores run it.
        let chore = |manifest: &str, words: &[&str]| {
            one_of(&[manifest])?;
            said_in_chores(tree, dir, words)
        };
        match self {
            Self::Ruff => one_of(&["ruff.toml", ".ruff.toml"]).or_else(|| table("ruff")),
            Self::RuffFormat => table("ruff.format"),
            Self::Flake8 => one_of(&[".flake8"]).or_else(|| section("flake8")),
            Self::Black => table("black"),
            Self::Mypy => one_of(&["mypy.ini", ".mypy.ini"])
                .or_else(|| table("mypy"))
                .or_else(|| section("mypy")),
            Self::Pyright => one_of(&["pyrightconfig.json"]).or_else(|| table("pyright")),
            Self::Clippy => one_of(&["clippy.toml", ".clippy.toml"])
                .or_else(lints)
                .or_else(|| chore("Cargo.toml", &["clippy"])),
            Self::Rustfmt => one_of(&["rustfmt.toml", ".rustfmt.toml"])
                .or_else(|| chore("Cargo.toml", &["cargo fmt", "rustfmt"])),
            Self::CargoDeny => one_of(&["deny.toml", ".deny.toml"]),
            Self::GoVet => chore("go.mod", &["go vet"]),
            Self::Gofmt => chore("go.mod", &["gofmt", "go fmt"]),
            Self::Staticcheck => one_of(&["staticcheck.conf"]),
            Self::Eslint => one_of(ESLINT).or_else(|| package("eslintConfig")),
            Self::Prettier => one_of(PRETTIER).or_else(|| package("prettier")),
            Self::Tsc => chore("tsconfig.json", &["tsc"]),
            Self::Semgrep => one_of(&[".semgrep.yml"]),
        }
    }

    /// Whether a changed file is its concern.
    pub fn reads(self, path: &str) -> bool {
        let ends = |endings: &[&str]| endings.iter().any(|ending| path.ends_with(ending));
        match self {
            Self::Ruff
            | Self::RuffFormat
            | Self::Flake8
            | Self::Black
            | Self::Mypy
            | Self::Pyright => ends(PYTHON),
            Self::Clippy | Self::Rustfmt => ends(&[".rs"]),
            Self::CargoDeny => ends(&["Cargo.toml", "Cargo.lock"]),
            Self::GoVet | Self::Gofmt | Self::Staticcheck => ends(&[".go"]),
            Self::Eslint | Self::Tsc => ends(SCRIPT),
            Self::Prettier => ends(SCRIPT) || ends(&[".json", ".css", ".md", ".yml", ".yaml"]),
            Self::Semgrep => true,
        }
    }

    /// Program and arguments. Each is told to change nothing and to keep nothing.
    pub fn argv(self, ask: &LintAsk) -> Vec<OsString> {
        let words: &[&str] = match self {
            Self::Ruff => &["check", "--output-format=json", "--no-cache", "--force-exclude", "--"],
            Self::RuffFormat => &["format", "--check", "--no-cache", "--force-exclude", "--"],
            Self::Flake8 => &["--format=default", "--"],
            Self::Black => &["--check", "--"],
            Self::Mypy => &[
                "--no-error-summary",
                "--show-error-codes",
                "--no-color-output",
                "--hide-error-context",
                "--no-pretty",
                "--cache-dir=/dev/null",
                "--",
            ],
            Self::Pyright => &["--outputjson"],
            Self::Clippy => {
                &["clippy", "--quiet", "--all-targets", "--offline", "--message-format=json"]
            }
            Self::Rustfmt => &["fmt", "--all", "--", "--check", "-l"],
            Self::CargoDeny => {
                &["deny", "--offline", "--format=json", "check", "bans", "licenses", "sources"]
            }
            Self::GoVet => &["vet", "./..."],
            Self::Gofmt => &["-l"],
            Self::Staticcheck => &["-f", "json", "./..."],
            Self::Eslint => &["--format=json", "--"],
            Self::Prettier => &["--list-different", "--ignore-unknown", "--"],
            Self::Tsc => &["--noEmit", "--pretty", "false", "--incremental", "false"],
            Self::Semgrep => &[
                "scan",
                "--json",
                "--quiet",
                "--metrics=off",
                "--disable-version-check",
                "--config=.semgrep.yml",
            ],
        };
        let mut argv = vec![ask.program.clone().into_os_string()];
        argv.extend(words.iter().map(OsString::from));
        if self.takes_files() {
            let below = |path: &String| ask.tree.join(path).into_os_string();
            argv.extend(ask.files.iter().map(below));
        }
        argv
    }

    /// Whether it is given the changed files; the others look at the whole project.
    fn takes_files(self) -> bool {
        match self {
            Self::Ruff
            | Self::RuffFormat
            | Self::Flake8
            | Self::Black
            | Self::Mypy
            | Self::Gofmt
            | Self::Eslint
            | Self::Prettier
            | Self::Semgrep => true,
            Self::Pyright
            | Self::Clippy
            | Self::Rustfmt
            | Self::CargoDeny
            | Self::GoVet
            | Self::Staticcheck
            | Self::Tsc => false,
        }
    }

    /// What it remarked; or why that can't be known.
    pub fn read(self, ask: &LintAsk, done: &StepOutput) -> Result<Vec<Remark>, String> {
        said::read(self, ask, done)
    }
}

const ESLINT: &[&str] = &[
    "eslint.config.js",
    "eslint.config.mjs",
    "eslint.config.cjs",
    "eslint.config.ts",
    ".eslintrc",
    ".eslintrc.js",
    ".eslintrc.cjs",
    ".eslintrc.json",
    ".eslintrc.yml",
    ".eslintrc.yaml",
];

const PRETTIER: &[&str] = &[
    ".prettierrc",
    ".prettierrc.json",
    ".prettierrc.yml",
    ".prettierrc.yaml",
    ".prettierrc.toml",
    ".prettierrc.js",
    ".prettierrc.mjs",
    ".prettierrc.cjs",
    "prettier.config.js",
    "prettier.config.mjs",
    "prettier.config.cjs",
];

/// Where a project writes down what it runs before a change is taken.
fn is_chore(path: &str, dir: &str) -> bool {
    const NAMES: &[&str] = &[
        ".gitlab-ci.yml",
        ".pre-commit-config.yaml",
        ".travis.yml",
        "Makefile",
        "makefile",
        "justfile",
        "Justfile",
        "Taskfile.yml",
        "azure-pipelines.yml",
        "package.json",
    ];
    let below = |folder: &str, path: &str| match folder {
        "" => Some(path.to_owned()),
        folder => Some(path.strip_prefix(folder)?.strip_prefix('/')?.to_owned()),
    };
    let here = |rest: String| NAMES.contains(&rest.as_str());
    path.starts_with(".github/workflows/")
        || path.starts_with(".ci/")
        || here(path.to_owned())
        || below(dir, path).is_some_and(here)
}

/// The first such file that says one of these words, as words of their own.
fn said_in_chores(tree: &dyn Tree, dir: &str, words: &[&str]) -> Option<String> {
    let says = |text: &str, word: &str| {
        let edge = |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        text.match_indices(word).any(|(at, _)| {
            let before = text.get(..at).and_then(|part| part.chars().next_back());
            let after = text.get(at + word.len()..).and_then(|part| part.chars().next());
            edge(before) && edge(after)
        })
    };
    let mut files = tree.paths().into_iter().filter(|path| is_chore(path, dir));
    files.find_map(|path| {
        let bytes = tree.read(&path)?;
        let text = String::from_utf8_lossy(&bytes);
        let word = words.iter().find(|word| says(&text, word))?;
        Some(format!("{path} runs {word}"))
    })
}

/// Whether a file holds nothing but the rules of a linter. A change is judged by the rules that it found.
pub fn is_lint_rules(path: &str) -> bool {
    const RULES: &[&str] = &[
        "ruff.toml",
        ".ruff.toml",
        ".flake8",
        "mypy.ini",
        ".mypy.ini",
        "pyrightconfig.json",
        "clippy.toml",
        ".clippy.toml",
        "rustfmt.toml",
        ".rustfmt.toml",
        "deny.toml",
        ".deny.toml",
        "staticcheck.conf",
        ".eslintignore",
        ".prettierignore",
        ".semgrepignore",
        ".semgrep.yml",
    ];
    let name = path.rsplit('/').next().unwrap_or(path);
    RULES.contains(&name) || ESLINT.contains(&name) || PRETTIER.contains(&name)
}

#[cfg(test)]
#[path = "lint_tests.rs"]
mod tests;
