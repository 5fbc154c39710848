//! The programs of tests that `go test` would throw away: kept by whatever it starts them with, and started again without it.
//! To link one costs more than most tests do. What they tell is made into events by Go's own `test2json`, as in `go test`.

use super::listing::{Listing, Package};
use super::rounds::{Round, Wanted};
use super::selection::pattern;
use crate::ask::{Ask, Coverage, Programs, Step};
use proctor_lang::child_file;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// As many packages are started one by one.
const MOST: usize = 12;

/// Keeps the program that it is given with its words, by the folder that it is started in, and becomes it.
const KEEPER: &str = r#"to="${0%/*}$PWD"
mkdir -p "$to" && cp "$1" "$to/part" && printf '%s\n' "$@" >"$to/words" && mv "$to/part" "$to/test"
exec "$@"
"#;

/// Runs a program, and says of one that failed what `go test` says: where that is missing, its end is taken for its last test's.
const TELLER: &str = r#""$@" || {
code=$?
printf 'exit status %s\nFAIL\t%s\t0.000s\n' "$code" "$0"
exit "$code"
}"#;

/// What `go test` says to the program of its own accord that is another each time.
const OWN: [&str; 4] =
    ["-test.run=", "-test.testlogfile=", "-test.outputdir=", "-test.fuzzcachedir="];

/// The folder of a run that keeps its programs; Go splits what it starts them with at spaces.
pub(crate) fn folder(ask: &Ask) -> Option<&Path> {
    let Programs::Kept(folder) = &ask.programs else { return None };
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    let fits = folder.to_str().is_some_and(|text| text.chars().all(plain));
    (fits && ask.coverage == Coverage::Off && translator(ask).is_some()).then_some(folder)
}

/// What has to be there.
pub(crate) fn keeper(ask: &Ask) -> Option<(PathBuf, Vec<u8>)> {
    folder(ask).map(|folder| (folder.join("keep"), KEEPER.as_bytes().to_vec()))
}

/// The argument for `go test`.
pub(crate) fn keeping(ask: &Ask) -> Option<OsString> {
    folder(ask).map(|folder| format!("-exec=/bin/sh {}", folder.join("keep").display()).into())
}

/// Those of a round whose programs were kept, where they are few, and the others that have tests.
pub(crate) fn split(ask: &Ask, listing: &Listing, round: Round) -> Vec<Round> {
    if !matches!(ask.programs, Programs::From(_)) {
        return vec![round];
    }
    let package = |name: &String| listing.packages.get(name);
    let is_kept =
        |name: &String| package(name).is_some_and(|package| program(ask, package).is_some());
    let (kept, others): (Vec<String>, Vec<String>) =
        round.packages.iter().cloned().partition(is_kept);
    if kept.len() > MOST || chosen(&round).is_none() {
        return vec![round];
    }
    // What has no tests was built before, and nothing of it runs.
    let tested = |name: &String| package(name).is_none_or(|package| !package.test_files.is_empty());
    let others: Vec<String> = others.into_iter().filter(tested).collect();
    let singles = kept.into_iter().map(|name| vec![name]);
    let all = singles.chain(Some(others).filter(|others| !others.is_empty()));
    all.map(|packages| Round { packages, tests: round.tests.clone() }).collect()
}

/// The words that choose the tests of a round; none where that can't be said in one of them.
pub(crate) fn chosen(round: &Round) -> Option<Vec<OsString>> {
    match &round.tests {
        Wanted::All => Some(Vec::new()),
        Wanted::These(tests) => pattern(tests).map(|run| vec![format!("-test.run={run}").into()]),
    }
}

/// A kept program with what `go test` said to it.
fn program(ask: &Ask, package: &Package) -> Option<(PathBuf, Vec<String>)> {
    let Programs::From(folder) = &ask.programs else { return None };
    let dir = ask.tree.join(package.dir.as_deref()?);
    let inside = |dir: &Path| Some(folder.join(dir.strip_prefix("/").ok()?));
    let places = [Some(dir.clone()), dir.canonicalize().ok()];
    let place =
        places.iter().flatten().filter_map(|dir| inside(dir)).find(|p| p.join("test").is_file())?;
    let words = child_file::read_to_string(place.join("words")).ok()?;
    let words: Vec<String> = words.lines().skip(1).map(str::to_owned).collect();
    let known = !words.is_empty() && words.iter().all(|word| word.starts_with("-test."));
    known.then(|| (place.join("test"), words))
}

/// What makes events of what a program tells. Newer versions of Go would have to build it first, which costs more than it saves.
fn translator(ask: &Ask) -> Option<PathBuf> {
    let go = ask.tools.program("go").canonicalize().ok()?;
    let tools = std::fs::read_dir(go.parent()?.parent()?.join("pkg/tool")).ok()?;
    tools.flatten().map(|folder| folder.path().join("test2json")).find(|tool| tool.is_file())
}

/// The step that runs a kept program in the place of `go test`: with the same environment, and with other tests chosen.
pub(crate) fn step(
    ask: &Ask,
    package: &Package,
    chosen: Vec<OsString>,
    like: &Step,
) -> Option<Step> {
    let (file, words) = program(ask, package)?;
    let cwd = ask.tree.join(package.dir.as_deref()?);
    let mut argv: Vec<OsString> = vec![translator(ask)?.into()];
    argv.extend(
        ["-t", "-p", &package.path, "/bin/sh", "-c", TELLER, &package.path].map(OsString::from),
    );
    argv.push(file.into());
    let is_own = |word: &String| OWN.iter().any(|own| word.starts_with(own));
    argv.extend(words.into_iter().filter(|word| !is_own(word)).map(OsString::from));
    argv.extend(chosen);
    let mut env = like.env.clone();
    env.insert("PWD".into(), cwd.clone().into());
    Some(Step { argv, cwd, env, ..like.clone() })
}
