//! Which commits of a library are tried: the newest that change tests and code, as the files' names say, and not many of them.
//! It reads a log and must not know what any of them is about.

use crate::corpus::pair::Language;

/// Larger commits are mostly merges of many things, or new formatting.
pub const MOST_FILES: usize = 12;
/// What is neither shipped nor tested.
const ASIDE: [&str; 9] = [
    "docs",
    "doc",
    "benches",
    "bench",
    "benchmark",
    "benchmarks",
    "examples",
    "_examples",
    "scripts",
];

/// A commit with the first line of its message and what it changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    pub id: String,
    pub subject: String,
    pub paths: Vec<String>,
}

/// What `git log` is asked for, so that [`commits`] can read it.
pub const LOG: [&str; 5] =
    ["log", "--no-merges", "--max-count=500", "--format=%x00%H %s", "--name-only"];

/// The commits of a log that are small enough, newest first.
pub fn commits(log: &str) -> Vec<Commit> {
    let mut found = Vec::new();
    for entry in log.split('\0').skip(1) {
        let mut lines = entry.lines().filter(|line| !line.is_empty());
        let Some((id, subject)) = lines.next().and_then(|head| head.split_once(' ')) else {
            continue;
        };
        let paths: Vec<String> = lines.map(str::to_owned).collect();
        if paths.len() <= MOST_FILES {
            found.push(Commit { id: id.to_owned(), subject: subject.to_owned(), paths });
        }
    }
    found
}

impl Commit {
    /// Sources of the language that are no tests.
    pub fn code(&self, language: Language) -> Vec<&str> {
        self.sources(language).filter(|path| !is_test(path)).collect()
    }

    pub fn tests(&self, language: Language) -> Vec<&str> {
        self.sources(language).filter(|path| is_test(path)).collect()
    }

    fn sources(&self, language: Language) -> impl Iterator<Item = &str> {
        self.paths.iter().map(String::as_str).filter(move |path| is_source(path, language))
    }
}

/// A Rust source whose tests stand in it: where they begin.
pub fn own_tests(text: &str) -> Option<usize> {
    if text.starts_with("#[cfg(test)]") {
        return Some(0);
    }
    text.find("\n#[cfg(test)]").map(|at| at + 1)
}

fn is_source(path: &str, language: Language) -> bool {
    let first = path.split('/').next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    let config = ["setup.py", "noxfile.py", "build.rs", "conf.py"].contains(&name)
        || name.contains(".config.");
    path.rsplit_once('.').is_some_and(|(_, last)| language.endings().contains(&last))
        && !ASIDE.contains(&first)
        && !config
}

fn is_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    stem.starts_with("test_")
        || stem.ends_with("_test")
        || matches!(stem, "test" | "tests")
        || stem.rsplit_once('.').is_some_and(|(_, last)| matches!(last, "test" | "spec"))
        || path.split('/').any(|part| matches!(part, "tests" | "test" | "__tests__"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_and_tests_are_told_apart_by_their_names() {
        let log = "\0aaa one\n\nsrc/a.py\ntests/test_a.py\nREADME.md\n\0bbb two\n\na.go\ntests/test_a.py\n\
                   \0ccc three\n\ndocs/conf.py\ntests/test_a.py\n";
        let found = commits(log);
        let both = |commit: &Commit, language| {
            !commit.code(language).is_empty() && !commit.tests(language).is_empty()
        };
        let python: Vec<bool> = found.iter().map(|one| both(one, Language::Python)).collect();
        assert_eq!(python, [true, false, false]);
        assert_eq!(found[0].code(Language::Python), ["src/a.py"]);
        assert_eq!(found[0].subject, "one");
    }

    #[test]
    fn a_commit_of_many_files_is_left_out() {
        let paths: Vec<String> = (0..=MOST_FILES).map(|at| format!("src/{at}.py")).collect();
        let paths = paths.join("\n");
        assert_eq!(commits(&format!("\0aaa many\n\n{paths}\n")), []);
    }

    #[test]
    fn tests_in_a_source_begin_at_the_line_that_says_so() {
        let code = "fn a() {}\n\n#[cfg(test)]\nmod tests {}\n";
        assert_eq!(own_tests(code).map(|at| &code[at..]), Some("#[cfg(test)]\nmod tests {}\n"));
        assert_eq!(own_tests("fn a() {}\n    #[cfg(test)]\n"), None);
    }
}
