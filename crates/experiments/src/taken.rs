//! Which files a source takes in: imports, modules, what it embeds, and files that it names. What production takes in is production,
//! wherever it lies. Read from one text; nothing is run.

use crate::extended::constants;
use proctor_lang::{Language, joined, parent, rust_modules, split_rust};

/// Whether the source of this file takes in another one of the tree.
pub fn takes_in((file, source): (&str, &str), other: &str) -> bool {
    let Some(language) = Language::of(file).filter(|_| file != other) else { return false };
    // Whatever takes it in says its name, or that of its folder: most sources need not be parsed for it.
    let said = |path: &str| source.contains(stem(path).rsplit('/').next().unwrap_or(path));
    if !said(other) && !said(parent(other)) {
        return false;
    }
    let code = match language {
        Language::Rust => split_rust(source).map(|split| split.production),
        _ => None,
    };
    let source = code.as_deref().unwrap_or(source);
    let declared = || match language {
        Language::Python => modules(file, source).iter().any(|module| is_module(module, other)),
        Language::Rust => {
            rust_modules(file, source).iter().any(|module| module.files.iter().any(|f| f == other))
        }
        _ => false,
    };
    let named = |word: &String| match language {
        Language::Go if Language::of(other) == Some(Language::Go) => is_package(word, other),
        Language::Script(_) if Language::of(other).is_some() => is_script(file, word, other),
        _ => names(file, word, other),
    };
    declared() || constants(file, source).is_some_and(|words| words.iter().any(named))
}

/// The modules that a source of Python imports, as paths; relative ones from its own folder.
fn modules(file: &str, source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        let line = line.trim_start();
        if let Some(rest) = line.strip_prefix("from ") {
            let Some((from, names)) = rest.split_once(" import ") else { continue };
            let mut names = names.to_owned();
            if names.contains('(') && !names.contains(')') {
                let open = |line: &&str| !line.contains(')');
                names.extend(lines.by_ref().take_while(open).flat_map(|line| [" ", line]));
            }
            let from = whole(file, from.trim());
            found.extend(words(&names).map(|name| format!("{from}/{name}")));
            found.push(from);
        } else if let Some(rest) = line.strip_prefix("import ") {
            let all = rest.split(',').filter_map(|one| one.split_whitespace().next());
            found.extend(all.map(|name| whole(file, name)));
        }
    }
    found
}

/// A dotted name as a path.
fn whole(file: &str, dotted: &str) -> String {
    let plain = dotted.trim_start_matches('.');
    let path = plain.replace('.', "/");
    let up = dotted.len() - plain.len();
    let mut folder = parent(file);
    for _ in 1..up {
        folder = parent(folder);
    }
    match (up, folder) {
        (0, _) | (_, "") => path,
        _ => format!("{folder}/{path}").trim_end_matches('/').to_owned(),
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// A path without its ending; what stands for its folder is the folder.
fn stem(path: &str) -> &str {
    let (folder, name) = (parent(path), path.rsplit('/').next().unwrap_or(path));
    let plain = name.split('.').next().unwrap_or(name);
    match plain {
        "__init__" | "index" => folder,
        _ => path.get(..path.len() - (name.len() - plain.len())).unwrap_or(path),
    }
}

/// Whether a path of modules leads to a file, from the root or from a folder that modules are looked for in.
fn is_module(module: &str, other: &str) -> bool {
    let rest = stem(other).strip_suffix(module);
    let root = |rest: &str| matches!(rest, "" | "src/" | "lib/");
    let package = |rest: &str| module.contains('/') && rest.ends_with('/');
    Language::of(other) == Some(Language::Python)
        && rest.is_some_and(|rest| root(rest) || package(rest))
}

/// Whether an import of Go is the package that a file belongs to.
fn is_package(word: &str, other: &str) -> bool {
    let folder = parent(other);
    !folder.is_empty() && !other.ends_with("_test.go") && word.ends_with(&format!("/{folder}"))
}

fn is_script(file: &str, word: &str, other: &str) -> bool {
    let relative = word.starts_with("./") || word.starts_with("../");
    let path = joined(parent(file), word).filter(|_| relative);
    path.is_some_and(|path| path == other || without_ending(&path) == without_ending(other))
}

/// A path of a script without the ending that its language gives it: `parse.spec.ts` is not `parse`.
fn without_ending(path: &str) -> &str {
    let plain = match path.rsplit_once('.') {
        Some((plain, _)) if Language::of(path).is_some() => plain,
        _ => path,
    };
    let plain = plain.strip_suffix(".d").unwrap_or(plain);
    plain.strip_suffix("/index").unwrap_or(plain)
}

/// Whether a string is the name of a file, alone or behind a folder of it.
fn names(file: &str, word: &str, other: &str) -> bool {
    let Some(name) = other.rsplit('/').next().filter(|name| name.contains('.')) else {
        return false;
    };
    let path = word.rsplit('/').next() == Some(name);
    path && (word == name || joined(parent(file), word).as_deref() == Some(other) || {
        let plain = word.trim_start_matches("../").trim_start_matches("./");
        other == plain || other.ends_with(&format!("/{plain}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn python_takes_in_what_it_imports_from_anywhere() {
        let other = "shop/fixtures/rates.py";
        for source in [
            "from .fixtures import rates\n",
            "from .fixtures.rates import RATES\n",
            "from shop.fixtures import (\n    other,\n    rates,\n)\n",
            "from os import (path, sep)\nfrom .fixtures import rates\nx = f(1)\n",
            "import shop.fixtures.rates as r\n",
            "def f():\n    from shop.fixtures import rates\n",
        ] {
            assert!(takes_in(("shop/tax.py", source), other), "{source}");
        }
        for source in ["import rates\n", "from .rates import a\n", "# shop.fixtures.rates\n"] {
            assert!(!takes_in(("shop/tax.py", source), other), "{source}");
        }
        let init = "from .tests import run\n";
        assert!(takes_in(("shop/__init__.py", init), "shop/tests/__init__.py"));
        assert!(takes_in(("src/a.py", "import tests.b\n"), "tests/b.py"));
    }

    #[test]
    fn data_is_taken_in_by_its_name_and_a_folder_alone_is_none() {
        let other = "shop/testdata/rates.json";
        for (file, source) in [
            ("shop/tax.py", "open('testdata/rates.json')\n"),
            ("shop/tax.py", "p = here / 'rates.json'\n"),
            (
                "shop/tax.go",
                "package shop\n\n//go:embed testdata\nvar a = \"testdata/rates.json\"\n",
            ),
            ("shop/tax.js", "import rates from './testdata/rates.json'\n"),
            ("shop/tax.rs", "const A: &str = include_str!(\"testdata/rates.json\");\n"),
        ] {
            assert!(takes_in((file, source), other), "{source}");
        }
        for source in ["open('testdata')\n", "a = '.json'\n", "a = 'old-rates.json'\n"] {
            assert!(!takes_in(("shop/tax.py", source), other), "{source}");
        }
    }

    #[test]
    fn other_languages_take_in_modules_and_packages() {
        assert!(takes_in(("lib/a.js", "const r = require('../test/rates')\n"), "test/rates.js"));
        assert!(takes_in(("lib/a.ts", "import r from './fixtures'\n"), "lib/fixtures/index.ts"));
        assert!(!takes_in(("lib/a.js", "const r = require('test')\n"), "lib/test.js"));
        let beside = "export * from './parse'\n";
        assert!(takes_in(("src/index.ts", beside), "src/parse.ts"));
        assert!(!takes_in(("src/index.ts", beside), "src/parse.spec.ts"));
        assert!(takes_in(("src/index.ts", "import './parse.spec'\n"), "src/parse.spec.ts"));
        let go = "package a\n\nimport \"example.com/shop/fixtures\"\n";
        assert!(takes_in(("a.go", go), "fixtures/rates.go"));
        assert!(!takes_in(("a.go", go), "fixtures/rates_test.go"));
        let rust = "#[path = \"fixtures/rates.rs\"]\nmod rates;\n#[cfg(test)]\nmod tests;\n";
        assert!(takes_in(("src/lib.rs", rust), "src/fixtures/rates.rs"));
        assert!(!takes_in(("src/lib.rs", rust), "src/tests.rs"));
    }
}
