//! Who may change a file, by its path alone: tests, what decides how tests run, production. One table for
//! every tool, since a repository may hold several.

/// Whose a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Zone {
    /// Tests, fixtures, snapshots: the tester's, sealed afterwards.
    Test,
    /// Decides how tests run: frozen for agents in every phase.
    Deciding,
    Production,
}

const TEST_FOLDERS: [&str; 10] = [
    "tests",
    "test",
    "__tests__",
    "__mocks__",
    "testdata",
    "test_data",
    "fixtures",
    "snapshots",
    "__snapshots__",
    "benches",
];

const DECIDING_NAMES: [&str; 39] = [
    "pytest.ini",
    ".pytest.ini",
    "pytest.toml",
    ".pytest.toml",
    "tox.ini",
    "tox.toml",
    ".coveragerc",
    ".coveragerc.toml",
    "sitecustomize.py",
    "usercustomize.py",
    "noxfile.py",
    "build.rs",
    "rust-toolchain",
    "rust-toolchain.toml",
    "Makefile",
    "makefile",
    "GNUmakefile",
    ".gitlab-ci.yml",
    "proctor.toml",
    ".python-version",
    "justfile",
    ".gitmodules",
    "go.work",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".nvmrc",
    ".node-version",
    ".babelrc",
    ".swcrc",
    ".mocharc.yaml",
    ".mocharc.yml",
    ".mocharc.jsonc",
    ".taprc",
    "jasmine.json",
    ".c8rc",
    ".c8rc.json",
    ".nycrc",
    ".nycrc.json",
];

/// The names, without their ending, of what configures a JavaScript test tool.
const DECIDING_CONFIGS: [&str; 9] = [
    "jest.config",
    "vitest.config",
    "vitest.workspace",
    "vite.config",
    "babel.config",
    ".babelrc",
    ".mocharc",
    "ava.config",
    "playwright.config",
];

const DECIDING_FOLDERS: [&str; 7] =
    [".cargo", ".github", ".proctor", ".circleci", ".githooks", ".husky", ".mvn"];

/// Endings of JavaScript and TypeScript sources.
pub const SCRIPTS: [&str; 8] = ["js", "cjs", "mjs", "jsx", "ts", "cts", "mts", "tsx"];

/// The zone of a path relative to the tree's root. What decides how tests run wins over where it lies.
pub fn zone(path: &str) -> Zone {
    let parts: Vec<&str> = path.split('/').filter(|p| !p.is_empty() && *p != ".").collect();
    let Some((name, folders)) = parts.split_last() else {
        return Zone::Production;
    };
    if decides(name, folders) {
        Zone::Deciding
    } else if is_test(name, folders) {
        Zone::Test
    } else {
        Zone::Production
    }
}

fn decides(name: &str, folders: &[&str]) -> bool {
    // Below a test folder a Makefile or the like is a fixture; what Python or cargo pick up by themselves is not.
    let in_tests = folders.iter().any(|f| TEST_FOLDERS.contains(f));
    let always = [
        "sitecustomize.py",
        "usercustomize.py",
        "pytest.ini",
        ".pytest.ini",
        "pytest.toml",
        "tox.ini",
    ];
    let listed = DECIDING_NAMES.contains(&name) && (!in_tests || always.contains(&name));
    let pth = has_ending(name, "pth");
    let nextest = name == "nextest.toml" && folders.last() == Some(&".config");
    let script = name.rsplit_once('.').is_some_and(|(stem, ending)| {
        DECIDING_CONFIGS.contains(&stem)
            && ["js", "cjs", "mjs", "ts", "cts", "mts", "json"].contains(&ending)
    });
    listed
        || pth
        || nextest
        || (script && !in_tests)
        || folders.iter().any(|f| DECIDING_FOLDERS.contains(f))
}

fn is_test(name: &str, folders: &[&str]) -> bool {
    let known = ["conftest.py", "tests.py", "test.py"];
    let python = has_ending(name, "py")
        && (name.starts_with("test_") || name.ends_with("_test.py") || known.contains(&name));
    let rust = !folders.is_empty()
        && (name == "tests.rs" || name.ends_with("_tests.rs") || name.ends_with("_test.rs"));
    let go = name.ends_with("_test.go");
    let script = name.rsplit_once('.').is_some_and(|(stem, ending)| {
        // `a.test.ts`, and `a.test-d.ts` where types are tested.
        let kind = stem.rsplit_once('.').map_or("", |(_, kind)| kind);
        let kind = kind.split('-').next().unwrap_or(kind);
        SCRIPTS.contains(&ending)
            && (["test", "spec"].iter().any(|k| kind.eq_ignore_ascii_case(k))
                || ["test", "tests"].contains(&stem)
                || ["Spec", "_spec", "-spec", "_test", "-test"]
                    .iter()
                    .any(|end| stem.ends_with(end)))
    });
    let snapshot = has_ending(name, "snap");
    python || rust || go || script || snapshot || folders.iter().any(|f| TEST_FOLDERS.contains(f))
}

/// Whether a name ends so, in capitals or not: `has_ending("a.py", "py")`.
pub fn has_ending(name: &str, ending: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, e)| e.eq_ignore_ascii_case(ending))
}

/// Files whose text decides which tool is meant, or what ids its tests have.
pub fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(
        name,
        "Cargo.toml"
            | "pyproject.toml"
            | "setup.cfg"
            | "tox.ini"
            | "pytest.ini"
            | "setup.py"
            | "go.mod"
            | "go.work"
            | "package.json"
            | "pom.xml"
            | "lib.rs"
            | "main.rs"
    ) || name.starts_with("requirements")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(zone_wanted: Zone, paths: &[&str]) {
        for path in paths {
            assert_eq!(zone(path), zone_wanted, "{path}");
        }
    }

    #[test]
    fn tests_fixtures_and_snapshots_are_the_testers() {
        all(
            Zone::Test,
            &[
                "tests/test_a.py",
                "tests/data/x.json",
                "test/a.rb",
                "pkg/test_b.py",
                "pkg/b_test.py",
                "conftest.py",
                "src/a/__snapshots__/x.snap",
                "src/x.snap",
                "src/parser/tests.rs",
                "src/parser/tests/big.rs",
                "benches/speed.rs",
                "crates/a/tests/all/main.rs",
                "pkg/fixtures/a.txt",
                "tests/fixtures/Makefile",
                "pkg/shop/cart_test.go",
                "pkg/shop/testdata/a.json",
                "src/cart.test.ts",
                "test.js",
                "pkg/tests.mjs",
                "src/cart.spec.jsx",
                "spec/cartSpec.js",
                "lib/cart_test.ts",
                "types/index.test-d.ts",
                "src/__tests__/cart.js",
                "src/__mocks__/db.js",
                "src/test/java/shop/CartTest.java",
            ],
        );
    }

    #[test]
    fn what_decides_how_tests_run_is_frozen_wherever_it_lies() {
        all(
            Zone::Deciding,
            &[
                "pytest.ini",
                "tox.ini",
                ".coveragerc",
                "sitecustomize.py",
                "tests/sitecustomize.py",
                "a/b.pth",
                "noxfile.py",
                ".cargo/config.toml",
                "build.rs",
                "crates/a/build.rs",
                "rust-toolchain.toml",
                ".config/nextest.toml",
                "Makefile",
                ".github/workflows/ci.yml",
                ".gitlab-ci.yml",
                "proctor.toml",
                ".proctor/prompts/a.md",
                ".python-version",
                "tests/pytest.ini",
                "go.work",
                "jest.config.js",
                ".mocharc.cjs",
                "spec/support/jasmine.json",
                "packages/a/vitest.config.mts",
                "babel.config.json",
                ".npmrc",
                ".mvn/jvm.config",
            ],
        );
    }

    #[test]
    fn the_rest_is_production() {
        all(
            Zone::Production,
            &[
                "src/lib.rs",
                "src/tests_of_time.rs",
                "tests.rs",
                "pkg/latest.py",
                "pyproject.toml",
                "Cargo.toml",
                "clippy.toml",
                "README.md",
                "src/contest.py",
                "nextest.toml",
                "src/latest.js",
                "src/testing.js",
                "src/cart.go",
                "src/main/java/shop/Cart.java",
                "package.json",
                "go.mod",
                "pom.xml",
            ],
        );
    }
}
