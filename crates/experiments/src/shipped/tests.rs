use super::*;

/// What is found where all of these files are new but those that begin with `=`, which the base has; changed are the sources
/// of production code whose text is not empty.
fn found(files: &[(&str, &str)]) -> Vec<String> {
    let all: BTreeMap<&str, &str> =
        files.iter().map(|(path, text)| (path.trim_start_matches('='), *text)).collect();
    let old: Vec<&str> = files.iter().filter_map(|(path, _)| path.strip_prefix('=')).collect();
    let is_source = |path: &str| {
        ["py", "js", "ts", "rs", "go"].iter().any(|end| path.ends_with(&format!(".{end}")))
            && zone(path) == Zone::Production
            && path != "setup.py"
    };
    let lines: BTreeMap<String, BTreeSet<u32>> = files
        .iter()
        .filter(|(path, text)| !text.is_empty() && !path.contains("dist/") && is_source(path))
        .map(|(path, _)| (path.trim_start_matches('=').to_owned(), (1..50).collect()))
        .collect();
    let parcel = Parcel {
        paths: all.keys().copied().collect(),
        base_has: &|path| old.contains(&path),
        lines: &lines,
        text: &|path| all.get(path).map(|text| (*text).to_owned()),
    };
    unshipped(&parcel).into_iter().map(|one| one.text).collect()
}

const LISTED: &str = "[tool.setuptools]\npackages = [\"shop\"]\n";

#[test]
fn a_new_folder_of_python_that_the_list_lacks_is_not_in_the_package() {
    let with = |list: &str| {
        found(&[
            ("=pyproject.toml", list),
            ("=shop/__init__.py", ""),
            ("shop/tax/__init__.py", "rate = 1\n"),
            ("scripts/run.py", "x = 1\n"),
        ])
    };
    let told = with(LISTED);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("shop/tax/__init__.py is new and not in the package"), "{told:?}");
    assert!(with("[tool.setuptools]\npackages = [\"shop\", \"shop.tax\"]\n").is_empty());
    assert!(with("[project]\nname = \"shop\"\n").is_empty());
    let find =
        |include: &str| with(&format!("[tool.setuptools.packages.find]\ninclude = [{include}]\n"));
    assert_eq!(find("\"shop\"").len(), 1);
    assert!(find("\"shop*\"").is_empty());
    let hatch = |out: &str| with(&format!("[tool.hatch.build]\nexclude = [{out}]\n"));
    assert_eq!(hatch("\"shop/tax\"").len(), 1);
    assert!(hatch("\"tests\"").is_empty());
}

#[test]
fn a_module_that_a_listed_one_imports_is_missed_and_a_changed_tool_is_not() {
    let list = "[tool.setuptools]\npy-modules = [\"shop\"]\n";
    let told = found(&[
        ("=pyproject.toml", list),
        ("=shop.py", "from rates import rate\n"),
        ("rates.py", "rate = 1\n"),
    ]);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        found(&[
            ("=pyproject.toml", LISTED),
            ("=tool.py", "x = 1\n"),
            ("=shop/__init__.py", "y = 2\n")
        ])
        .is_empty()
    );
}

#[test]
fn folders_without_a_mark_are_not_found_by_setup_py() {
    let setup = "from setuptools import setup, find_packages\nsetup(packages=find_packages())\n";
    let with = |mark: bool| {
        let mut files =
            vec![("=setup.py", setup), ("=shop/__init__.py", ""), ("shop/tax/rate.py", "x = 1\n")];
        if mark {
            files.push(("shop/tax/__init__.py", ""));
        }
        found(&files)
    };
    assert_eq!(with(false).len(), 1);
    assert!(with(true).is_empty());
}

#[test]
fn an_import_of_what_only_developers_have_is_told() {
    let with = |manifest: &str, text: &str| {
        found(&[("=pyproject.toml", manifest), ("=shop/__init__.py", text)])
    };
    let dev = "[project]\nname = \"s\"\ndependencies = [\"attrs>=2\"]\n[project.optional-dependencies]\ndev = [\"hypothesis~=6\", \"PyYAML\"]\nfast = [\"numpy\"]\n";
    assert_eq!(with(dev, "import hypothesis\n").len(), 1);
    for fine in [
        "import attrs\n",
        "import numpy\n",
        "import os\n",
        "try:\n    import hypothesis\nexcept ImportError:\n    pass\n",
    ] {
        assert!(with(dev, fine).is_empty(), "{fine}");
    }
    let both = "[project]\nname = \"s\"\ndependencies = [\"hypothesis\"]\n[dependency-groups]\ndev = [\"hypothesis\"]\n";
    assert!(with(both, "import hypothesis\n").is_empty());
}

#[test]
fn what_builds_the_documents_may_import_what_developers_have() {
    let manifest = "[project]\nname = \"shop\"\n[dependency-groups]\ndev = [\"sphinx\"]\n";
    let with = |file: &str| found(&[("=pyproject.toml", manifest), (file, "import sphinx\n")]);
    assert!(with("docs/conf.py").is_empty());
    assert!(with("tasks.py").is_empty());
    assert_eq!(with("shop.py").len(), 1);
}

#[test]
fn npm_takes_what_files_name() {
    let with = |package: &str| {
        found(&[
            ("=package.json", package),
            ("=lib/a.js", "import { b } from './b.js';\n"),
            ("lib/b.js", "export const b = 1;\n"),
        ])
    };
    assert_eq!(with(r#"{"files": ["lib/a.js"]}"#).len(), 1);
    for fine in
        [r#"{"files": ["lib"]}"#, r#"{"files": ["lib/*.js"]}"#, r#"{"files": ["lib/"]}"#, "{}"]
    {
        assert!(with(fine).is_empty(), "{fine}");
    }
    let told = found(&[
        ("=package.json", "{}"),
        ("=.npmignore", "internal\n"),
        ("=a.js", "const x = require('./internal/x')\n"),
        ("internal/x.js", "module.exports = 1\n"),
    ]);
    assert_eq!(told.len(), 1, "{told:?}");
}

#[test]
fn a_package_for_development_and_a_built_file_that_is_old_are_told() {
    let with = |package: &str| {
        found(&[("=package.json", package), ("=index.js", "import ms from 'ms';\n")])
    };
    assert_eq!(with(r#"{"devDependencies": {"ms": "1"}}"#).len(), 1);
    for fine in [
        r#"{"devDependencies": {"ms": "1"}, "peerDependencies": {"ms": "1"}}"#,
        r#"{"dependencies": {"ms": "1"}}"#,
        r#"{"private": true, "devDependencies": {"ms": "1"}}"#,
    ] {
        assert!(with(fine).is_empty(), "{fine}");
    }
    let built = |text: &str| {
        found(&[
            ("=package.json", r#"{"main": "dist/index.js"}"#),
            ("=dist/index.js", text),
            ("=src/index.js", "export const a = 2;\n"),
        ])
    };
    assert_eq!(built("exports.a = 1;\n").len(), 1);
    assert!(built("module.exports = require('../src/index.js');\n").is_empty());
}

#[test]
fn what_users_do_not_get_to_is_nobodys_loss() {
    let package =
        |more: &str| format!(r#"{{"main": "index.js", "devDependencies": {{"ms": "1"}}{more}}}"#);
    let tools = |package: &str| {
        found(&[
            ("=package.json", package),
            ("=index.js", "export * from './lib/a.js';\n"),
            ("=lib/a.js", "export const a = 1;\n"),
            ("eslint.config.js", "import ms from 'ms';\n"),
            ("bench.js", "const ms = require('ms')\n"),
            ("scripts/build.js", "import ms from 'ms';\n"),
        ])
    };
    assert!(tools(&package("")).is_empty());
    assert!(tools(&package(r#", "files": ["index.js", "lib"]"#)).is_empty());
    // What the entry reaches is asked, wherever it lies.
    let told = found(&[
        ("=package.json", &package(r#", "files": ["index.js"]"#)),
        ("=index.js", "export * from './lib/a.js';\n"),
        ("lib/a.js", "import ms from 'ms';\n"),
    ]);
    assert_eq!(told.len(), 2, "{told:?}");
    // A source is not what is built from it.
    let built = found(&[
        ("=package.json", r#"{"main": "index.js", "files": ["index.js", "build"]}"#),
        ("=index.js", "const { a } = require('./build/lib/a')\n"),
        ("lib/a.ts", "export const a = 1;\n"),
    ]);
    assert!(built.is_empty(), "{built:?}");
}

#[test]
fn a_checkout_is_what_its_attributes_say() {
    let set = |line: &str| {
        found(&[("=.gitattributes", line), ("=a.py", "x = '$Id$'\n"), ("=b/c.py", "y = 1\n")]).len()
    };
    assert_eq!(set("*.py ident\n"), 1);
    assert_eq!(set("/b export-ignore\n"), 1);
    assert_eq!(set("*.py export-subst\n"), 0);
    assert_eq!(set("b/*.py working-tree-encoding=UTF-16\n*.txt ident\n"), 1);
    assert_eq!(set("* text=auto\n*.py -ident\n/tests export-ignore\n"), 0);
}

#[test]
fn a_command_that_leads_to_a_name_which_is_not_there_can_not_be_started() {
    let with = |to: &str, text: &str| {
        found(&[
            (
                "=pyproject.toml",
                &format!("[project]\nname = \"shop\"\n[project.scripts]\nshop = \"{to}\"\n"),
            ),
            ("=src/shop/__init__.py", ""),
            ("src/shop/cli.py", text),
        ])
    };
    let told = with("shop.cli:run", "def main():\n    return 0\n");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("src/shop/cli.py has no `run`"), "{told:?}");
    for text in [
        "def run(argv=None):\n    return 0\n",
        "run = main\n",
        "from .app import (\n    other,\n    run,\n)\n",
        "from .app import *\n",
        "class run:\n    pass\n",
    ] {
        assert!(with("shop.cli:run", text).is_empty(), "{text}");
    }
    assert!(with("shop.cli:app.run", "app = App()\n").is_empty());
    assert!(with("elsewhere.cli:run", "x = 1\n").is_empty(), "another package's");
}

#[test]
fn a_command_of_npm_needs_a_first_line_that_names_its_program() {
    let with = |text: &str| {
        found(&[
            ("=package.json", "{\"name\": \"shop\", \"bin\": {\"shop\": \"./bin/shop.js\"}}"),
            ("bin/shop.js", text),
        ])
    };
    let told = with("import { main } from '../src/main.js';\n");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("makes a command of bin/shop.js"), "{told:?}");
    assert!(with("#!/usr/bin/env node\nimport '../src/main.js';\n").is_empty());
}
