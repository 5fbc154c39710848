//! Where a hunt could begin, from the sources alone: programs, routes, public names, branches, how often a file was changed
//! lately, and how much of it no test runs. A guess that costs little; it judges nothing.

use crate::words::Words;
use crate::zone::{Zone, zone};
use proctor_core::report::{LineCoverage, Lines};
use std::collections::BTreeMap;

/// A file, and what speaks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrance {
    pub path: String,
    pub score: u64,
    pub why: Vec<String>,
}

/// Each language by the ending of its files.
const ENDINGS: Words =
    Words("py rs go js mjs cjs jsx ts mts tsx java kt scala c cc cpp rb php cs swift ex sh");
/// Folders of others.
const FOREIGN: Words = Words(
    "vendor node_modules third_party dist build target generated migrations .venv \
    site-packages",
);
const PROGRAMS: [&str; 9] = [
    "fn main(",
    "func main(",
    "__main__",
    "static void main(",
    "#!/",
    "console_scripts",
    "argparse.",
    "process.argv",
    "int main(",
];
const ROUTES: Words = Words(
    "@app. @router. @bp. app.get( app.post( router.get( router.post( HandleFunc( #[get( \
    #[post( @GetMapping @PostMapping",
);
const BRANCHES: Words = Words("if elif for while match case switch except catch unwrap and or");

/// The most promising files, best first. `sources` are texts by path, `churn` how often each was changed lately,
/// `covered` which lines the tests run, as far as that is known.
pub fn entrances(
    sources: &BTreeMap<String, String>,
    churn: &BTreeMap<String, u32>,
    covered: &LineCoverage,
    most: usize,
) -> Vec<Entrance> {
    let mut found: Vec<Entrance> = sources
        .iter()
        .filter(|(path, _)| is_source(path))
        .map(|(path, text)| {
            let changes = churn.get(path).copied().unwrap_or(0);
            entrance(path, text, changes, covered.files.get(path))
        })
        .filter(|entrance| entrance.score > 0)
        .collect();
    found.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.path.cmp(&b.path)));
    found.truncate(most);
    found
}

/// Code in a language that we know, by its name.
pub fn is_code(path: &str) -> bool {
    let ending = path.rsplit_once('.').map(|(_, ending)| ending).unwrap_or_default();
    ENDINGS.has(ending)
}

/// Production code of the project's own, by its path.
pub fn is_source(path: &str) -> bool {
    let foreign = path.split('/').any(|part| FOREIGN.has(part));
    is_code(path) && !foreign && zone(path) == Zone::Production
}

fn entrance(path: &str, text: &str, changes: u32, lines: Option<&Lines>) -> Entrance {
    let mut why = Vec::new();
    let mut score = 0;
    let mut count = |points: u64, most: u64, words: String| {
        if points > 0 {
            score += points.min(most);
            why.push(words);
        }
    };
    count(
        u64::from(PROGRAMS.iter().any(|mark| text.contains(mark))) * 8,
        8,
        "a program".to_owned(),
    );
    count(u64::from(ROUTES.any(|mark| text.contains(mark))) * 8, 8, "routes".to_owned());
    let public = u64::try_from(text.lines().filter(|line| is_public(line)).count()).unwrap_or(0);
    count(public, 10, format!("{public} public names"));
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let branches = words.filter(|word| BRANCHES.has(word)).count();
    let branches = u64::try_from(branches).unwrap_or(0);
    count(branches.div_ceil(4), 12, format!("{branches} branches"));
    count(u64::from(changes), 10, format!("changed {changes} times lately"));
    if let Some(Lines { hit, missed }) = lines {
        let (idle, all) = (missed.len(), hit.len() + missed.len());
        let tenths = u64::try_from((idle * 10).checked_div(all).unwrap_or(0)).unwrap_or(0);
        count(tenths, 10, format!("{idle} of {all} lines that no test runs"));
    }
    Entrance { path: path.to_owned(), score, why }
}

fn is_public(line: &str) -> bool {
    let word_after = |start: &str| line.strip_prefix(start).and_then(|rest| rest.chars().next());
    let python = word_after("def ").or_else(|| word_after("class ")).is_some_and(|c| c != '_');
    let go = word_after("func ").is_some_and(|c| c.is_uppercase() || c == '(');
    let marked = ["pub fn ", "pub struct ", "export ", "module.exports", "exports.", "public "];
    let trimmed = line.trim_start();
    python || go || marked.iter().any(|start| trimmed.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_and_busy_files_come_first_and_tests_and_packages_of_others_never() {
        let sources = [
            ("src/main.rs", "fn main() {\n    if a {}\n}\n"),
            ("src/quiet.rs", "pub fn one() {}\n"),
            (
                "src/busy.rs",
                "pub fn one() {\n    if a { for b in c { while d {} } }\n    if e {}\n}\n",
            ),
            ("tests/api.rs", "fn main() {}\n"),
            ("node_modules/x/index.js", "export const a = 1;\n"),
            ("README.md", "if and or\n"),
        ];
        let sources = sources.map(|(path, text)| (path.to_owned(), text.to_owned())).into();
        let churn = BTreeMap::from([("src/busy.rs".to_owned(), 9)]);
        let none = LineCoverage::default();
        let found = entrances(&sources, &churn, &none, 10);
        let paths: Vec<&str> = found.iter().map(|one| one.path.as_str()).collect();
        assert_eq!(paths, ["src/busy.rs", "src/main.rs", "src/quiet.rs"]);
        assert_eq!(found[1].why, ["a program", "1 branches"]);
        assert_eq!(entrances(&sources, &churn, &none, 1).len(), 1);
        let idle = Lines { hit: [1].into(), missed: (2..=40).collect() };
        let covered = LineCoverage { files: [("src/quiet.rs".to_owned(), idle)].into() };
        let first = entrances(&sources, &BTreeMap::new(), &covered, 1).remove(0);
        assert_eq!(first.path, "src/quiet.rs");
        assert_eq!(first.why, ["1 public names", "39 of 40 lines that no test runs"]);
    }
}
