//! The suites that runners are measured with: for each tool two hundred small tests and some that burn a fixed amount
//! of work, and the command that a person would type. It makes texts and must not run anything.

/// A test tool whose runner is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    Pytest,
    Nextest,
    Cargo,
    Go,
    Vitest,
    Jest,
    Node,
}

const FILES: usize = 10;
const EACH: usize = 20;
const BURNING: usize = 4;
/// How many tests a suite has.
pub const TESTS: usize = FILES * EACH + BURNING;

impl Tool {
    pub const ALL: [Self; 7] =
        [Self::Pytest, Self::Nextest, Self::Cargo, Self::Go, Self::Vitest, Self::Jest, Self::Node];

    pub fn name(self) -> &'static str {
        match self {
            Self::Pytest => "pytest",
            Self::Nextest => "cargo nextest",
            Self::Cargo => "cargo test",
            Self::Go => "go",
            Self::Vitest => "vitest",
            Self::Jest => "jest",
            Self::Node => "node --test",
        }
    }

    pub fn runner(self) -> &'static str {
        match self {
            Self::Pytest => "pytest",
            Self::Nextest | Self::Cargo => "cargo",
            Self::Go => "go",
            Self::Vitest => "vitest",
            Self::Jest => "jest",
            Self::Node => "node",
        }
    }

    pub fn needs(self) -> &'static str {
        match self {
            Self::Pytest => "python3 with pytest",
            Self::Nextest => "cargo-nextest",
            Self::Cargo => "cargo",
            Self::Go => "go",
            Self::Vitest => "node with vitest (scripts/setup)",
            Self::Jest => "node with jest (scripts/setup)",
            Self::Node => "node",
        }
    }

    /// What the bare command says after its program.
    pub fn bare(self) -> &'static [&'static str] {
        match self {
            Self::Pytest => &["-m", "pytest", "-q"],
            Self::Nextest => &["nextest", "run", "--offline"],
            Self::Cargo => &["test", "--offline"],
            Self::Go => &["test", "-count=1", "./..."],
            Self::Vitest => &["node_modules/vitest/vitest.mjs", "run"],
            Self::Jest => &["node_modules/jest/bin/jest.js"],
            Self::Node => &["--test"],
        }
    }

    /// What of its packages must be installed.
    pub fn package(self) -> Option<&'static str> {
        match self {
            Self::Vitest => Some("vitest/vitest.mjs"),
            Self::Jest => Some("jest/bin/jest.js"),
            Self::Pytest | Self::Nextest | Self::Cargo | Self::Go | Self::Node => None,
        }
    }
}

/// The whole tree of a suite.
pub fn files(tool: Tool) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = Vec::new();
    files.extend(beside(tool).iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())));
    for file in 0..FILES {
        let tests: String = (0..EACH).map(|at| small(tool, file, at)).collect();
        files.push((path(tool, &format!("small_{file}")), format!("{}{tests}", head(tool))));
    }
    let burning: String = (0..BURNING).map(|at| burn(tool, at)).collect();
    files.push((path(tool, "burn"), format!("{}{burning}", head(tool))));
    files
}

fn beside(tool: Tool) -> &'static [(&'static str, &'static str)] {
    match tool {
        Tool::Pytest => &[("pytest.ini", "[pytest]\n")],
        Tool::Nextest | Tool::Cargo => &[
            (
                "Cargo.toml",
                "[package]\nname = \"suite\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
            ),
            (
                "src/lib.rs",
                "pub fn burn(times: u64) -> u64 {\n    let mut sum = 0u64;\n    let mut at = 0;\n    while at < times {\n        sum = sum.wrapping_mul(31).wrapping_add(at);\n        at += 1;\n    }\n    sum\n}\n",
            ),
        ],
        Tool::Go => &[
            ("go.mod", "module example.com/suite\n\ngo 1.19\n"),
            (
                "suite.go",
                "package suite\n\nfunc Burn(times uint64) uint64 {\n\tvar sum uint64\n\tfor at := uint64(0); at < times; at++ {\n\t\tsum = sum*31 + at\n\t}\n\treturn sum\n}\n",
            ),
        ],
        Tool::Vitest => &[
            (
                "package.json",
                "{\"name\": \"suite\", \"type\": \"module\", \"devDependencies\": {\"vitest\": \"*\"}}\n",
            ),
            ("suite.js", SCRIPT_ESM),
        ],
        Tool::Jest => &[
            ("package.json", "{\"name\": \"suite\", \"devDependencies\": {\"jest\": \"*\"}}\n"),
            ("suite.js", SCRIPT_CJS),
        ],
        Tool::Node => &[
            (
                "package.json",
                "{\"name\": \"suite\", \"type\": \"module\", \"scripts\": {\"test\": \"node --test\"}}\n",
            ),
            ("suite.js", SCRIPT_ESM),
        ],
    }
}

const SCRIPT_ESM: &str = "export function burn(times) {\n  let sum = 0;\n  for (let at = 0; at < times; at += 1) sum = (sum * 31 + at) % 1000003;\n  return sum;\n}\n";
const SCRIPT_CJS: &str = "exports.burn = function burn(times) {\n  let sum = 0;\n  for (let at = 0; at < times; at += 1) sum = (sum * 31 + at) % 1000003;\n  return sum;\n};\n";

fn path(tool: Tool, name: &str) -> String {
    match tool {
        Tool::Pytest => format!("tests/test_{name}.py"),
        Tool::Nextest | Tool::Cargo => format!("tests/{name}.rs"),
        Tool::Go => format!("{name}_test.go"),
        Tool::Vitest | Tool::Jest | Tool::Node => format!("test/{name}.test.js"),
    }
}

fn head(tool: Tool) -> &'static str {
    match tool {
        Tool::Pytest | Tool::Nextest | Tool::Cargo => "",
        Tool::Go => "package suite\n\nimport \"testing\"\n",
        Tool::Vitest => {
            "import { test, expect } from 'vitest';\nimport { burn } from '../suite.js';\n"
        }
        Tool::Jest => "const { burn } = require('../suite');\n",
        Tool::Node => {
            "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { burn } from '../suite.js';\n"
        }
    }
}

fn small(tool: Tool, file: usize, at: usize) -> String {
    let name = format!("small_{file}_{at}");
    match tool {
        Tool::Pytest => format!("\n\ndef test_{name}():\n    assert {at} + 1 == {}\n", at + 1),
        Tool::Nextest | Tool::Cargo => {
            format!("\n#[test]\nfn {name}() {{\n    assert_ne!(suite::burn({}), 1);\n}}\n", at + 3)
        }
        Tool::Go => format!(
            "\nfunc TestSmall{file}x{at}(t *testing.T) {{\n\tif Burn({}) == 1 {{\n\t\tt.Fatal(\"one\")\n\t}}\n}}\n",
            at + 3
        ),
        Tool::Vitest | Tool::Jest | Tool::Node => script(tool, &name, at + 3),
    }
}

/// About a quarter of a second each on a machine of today.
fn burn(tool: Tool, at: usize) -> String {
    let name = format!("burn_{at}");
    match tool {
        Tool::Pytest => {
            let work = "    total = 0\n    for at in range(4_000_000):\n        total = (total * 31 + at) % 1000003\n";
            format!("\n\ndef test_{name}():\n{work}    assert total != 1\n")
        }
        Tool::Nextest | Tool::Cargo => {
            format!("\n#[test]\nfn {name}() {{\n    assert_ne!(suite::burn(80_000_000), 1);\n}}\n")
        }
        Tool::Go => format!(
            "\nfunc TestBurn{at}(t *testing.T) {{\n\tif Burn(300000000) == 1 {{\n\t\tt.Fatal(\"one\")\n\t}}\n}}\n"
        ),
        Tool::Vitest | Tool::Jest | Tool::Node => script(tool, &name, 60_000_000),
    }
}

fn script(tool: Tool, name: &str, times: usize) -> String {
    let check = match tool {
        Tool::Node => format!("assert.notEqual(burn({times}), 1.5)"),
        Tool::Pytest | Tool::Nextest | Tool::Cargo | Tool::Go | Tool::Vitest | Tool::Jest => {
            format!("expect(burn({times})).not.toBe(1.5)")
        }
    };
    format!("\ntest('{name}', () => {{ {check}; }});\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_suite_has_as_many_tests_as_are_counted() {
        for tool in Tool::ALL {
            let word = match tool {
                Tool::Pytest => "def test_",
                Tool::Nextest | Tool::Cargo => "#[test]",
                Tool::Go => "func Test",
                Tool::Vitest | Tool::Jest | Tool::Node => "\ntest('",
            };
            let found: usize = files(tool).iter().map(|(_, text)| text.matches(word).count()).sum();
            assert_eq!(found, TESTS, "{}", tool.name());
        }
    }
}
