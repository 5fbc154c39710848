//! The command by which a person runs one test without Proctor. For reading; nothing here is run.

use proctor_core::words::TestId;

/// How to run a test of this tool. `files` are the new test files. Several tools in one repository are named together
/// (`pytest, cargo`): then the test's own words tell which.
pub fn by_hand(runner: &str, test: &TestId, files: &[String]) -> String {
    let id = test.as_str();
    let file = files.first().map(String::as_str).unwrap_or_default();
    let has =
        |name: &str| runner.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == name);
    let ends = |ending: &str| files.iter().any(|path| path.ends_with(ending));
    if has("pytest") && (id.contains(".py") || ends(".py")) {
        return format!("python -m pytest {}", quoted(id));
    }
    if has("go") && ends(".go") {
        let (package, name) = id.rsplit_once(' ').unwrap_or(("./...", id));
        let name = name.split('/').next().unwrap_or(name);
        let package = if package.contains('/') { "./..." } else { package };
        return format!("go test {package} -run {}", quoted(&format!("^{name}$")));
    }
    if has("cargo") && (ends(".rs") || file.is_empty()) {
        let name = id.rsplit_once(' ').map_or(id, |(_, name)| name);
        return format!("cargo test {}", quoted(name));
    }
    if has("vitest") {
        return format!("npx vitest run {}", quoted(file));
    }
    if has("jest") {
        return format!("npx jest {}", quoted(file));
    }
    for tool in ["mocha", "ava", "jasmine", "tap", "tape", "uvu"] {
        if has(tool) {
            return format!("npx {tool} {}", quoted(file));
        }
    }
    for tool in ["bun", "deno"] {
        if has(tool) {
            return format!("{tool} test {}", quoted(file));
        }
    }
    if has("playwright") {
        return format!("npx playwright test {}", quoted(file));
    }
    if has("unittest") && (id.contains(".py") || ends(".py")) {
        return format!("python -m unittest {}", quoted(file));
    }
    if has("node") {
        return format!("node --test {}", quoted(file));
    }
    if has("maven") {
        let class = id.split(['#', ' ', ':']).next().unwrap_or(id);
        return format!("mvn test -Dtest={}", quoted(class));
    }
    format!("run {} with the project's test tool ({runner})", quoted(id))
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_tool_has_its_command() {
        let by = |runner: &str, id: &str, file: &str| {
            by_hand(runner, &TestId::new(id), &[file.to_owned()])
        };
        assert_eq!(
            by("pytest", "tests/test_a.py::test_b[1 2]", "tests/test_a.py"),
            "python -m pytest 'tests/test_a.py::test_b[1 2]'"
        );
        assert_eq!(by("cargo", "calc::lib tests::adds", "src/lib.rs"), "cargo test tests::adds");
        assert_eq!(
            by("go", "example.com/m/a TestSum/one", "a/a_test.go"),
            "go test ./... -run '^TestSum$'"
        );
        assert_eq!(by("node", "a.test.js > adds", "a.test.js"), "node --test a.test.js");
        assert_eq!(
            by("pytest, go", "example.com/m TestSum", "a_test.go"),
            "go test ./... -run '^TestSum$'"
        );
    }
}
