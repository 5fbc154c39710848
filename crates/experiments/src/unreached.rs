//! New functions that nobody but tests can call: private by their language's own word for it, and named by no other line of production
//! code. What they do is shown, and that anybody gets to it is not. Read from texts; nothing is run.

use proctor_core::report::Place;
use proctor_lang::{Language, Zone, split_rust, zone};
use std::collections::{BTreeMap, BTreeSet};

/// A private function of the change that production code does not name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    pub name: String,
    pub place: Place,
}

/// The private functions that these lines define: name and place.
pub fn private(file: &str, text: &str, lines: &BTreeSet<u32>) -> Vec<Unreached> {
    let all: Vec<&str> = text.lines().collect();
    let (mut found, mut inside) = (Vec::new(), false);
    for (n, line) in all.iter().enumerate() {
        let number = u32::try_from(n + 1).unwrap_or(u32::MAX);
        let above = n.checked_sub(1).and_then(|n| all.get(n)).map_or("", |line| line.trim());
        if line.starts_with("mod ") && line.ends_with('{') && above != "#[cfg(test)]" {
            let module = line.strip_prefix("mod ").and_then(|rest| rest.split_whitespace().next());
            let all = module.map(|module| format!("{module}::*"));
            inside = all.is_some_and(|all| !text.contains(&all));
        } else if line.starts_with('}') {
            inside = false;
        }
        let open = line.strip_prefix("    ").filter(|line| inside && line.starts_with("pub fn "));
        let hidden = open.and_then(|line| defined(file, line, "#[doc(hidden)]"));
        let name =
            hidden.filter(|_| !above.starts_with("#[")).or_else(|| defined(file, line, above));
        let Some(name) = name.filter(|_| lines.contains(&number)) else { continue };
        let place = Place { file: file.to_owned(), line: Some(number) };
        found.push(Unreached { name: name.to_owned(), place });
    }
    found
}

/// The private function that a line at the margin defines; what something above it may register counts as reached.
fn defined<'l>(file: &str, line: &'l str, above: &str) -> Option<&'l str> {
    let ending = file.rsplit('.').next().unwrap_or_default();
    let (rest, is_private): (&str, fn(&str) -> bool) = match ending {
        "py" if above.starts_with('@') => return None,
        "py" => {
            let rest = line.strip_prefix("def ").or_else(|| line.strip_prefix("async def "))?;
            (rest, |name| name.starts_with('_') && !name.ends_with('_'))
        }
        "go" => (line.strip_prefix("func ")?, |name| name.starts_with(|c: char| c.is_lowercase())),
        "rs" if above == "#[doc(hidden)]" => (line.strip_prefix("pub fn ")?, |_| true),
        "rs" if above.starts_with("#[") => return None,
        "rs" => (line.strip_prefix("fn ")?, |_| true),
        _ => return None,
    };
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    let name = rest.get(..end).filter(|name| !matches!(*name, "" | "main" | "init"))?;
    is_private(name).then_some(name)
}

/// Whether a test takes in another source for what that does when it is loaded, and names nothing of it.
pub fn for_effect(file: &str, text: &str, other: &str) -> bool {
    let name = other.rsplit('/').next().unwrap_or(other).split('.').next().unwrap_or_default();
    let folder = proctor_lang::parent(other).rsplit('/').next().unwrap_or_default();
    let said = |line: &&str| names(line, name);
    match Language::of(file) {
        Some(Language::Python) => {
            let is_import = |line: &str| line.starts_with("import ") || line.starts_with("from ");
            let (imports, code): (Vec<&str>, Vec<&str>) =
                text.lines().map(str::trim).partition(|line| is_import(line));
            let words = |line: &&str| -> Vec<String> {
                let plain = line.split('#').next().unwrap_or_default();
                let given = plain.split_once(" as ").map(|(_, given)| given);
                let bound = given.or_else(|| Some(plain.split_once(" import ")?.1));
                let bound = bound.unwrap_or(name);
                let word =
                    |w: &str| w.trim_matches(|c: char| !c.is_alphanumeric() && c != '_').to_owned();
                bound.split([',', ' ']).map(word).filter(|w| !w.is_empty()).collect()
            };
            let own: Vec<String> =
                imports.iter().filter(|line| said(line)).flat_map(words).collect();
            !own.is_empty()
                && !own.iter().any(|word| word == "*" || code.iter().any(|line| names(line, word)))
        }
        Some(Language::Script(_)) => text.lines().map(str::trim).filter(said).all(|line| {
            ["import '", "import \"", "require("].iter().any(|bare| line.starts_with(bare))
        }),
        Some(Language::Go) => text.lines().map(str::trim).any(|line| {
            let path = line.trim_start_matches("import ");
            path.starts_with("_ \"") && names(path, folder)
        }),
        _ => false,
    }
}

/// Those that no other line of these sources names.
pub fn unreached(all: Vec<Unreached>, production: &BTreeMap<String, String>) -> Vec<Unreached> {
    let is_named = |one: &Unreached| {
        production.iter().filter(|(file, _)| zone(file) == Zone::Production).any(|(file, text)| {
            let is_rust = Language::of(file) == Some(Language::Rust);
            let split = is_rust.then(|| split_rust(text)).flatten();
            let text = split.map_or_else(|| text.clone(), |split| split.production);
            let own = defining(&text, one, file);
            text.lines().zip(1_u32..).any(|(line, n)| !own.contains(&n) && names(line, &one.name))
        })
    };
    all.into_iter().filter(|one| !is_named(one)).collect()
}

/// The lines of the function itself: one that only calls itself is called by nobody.
fn defining(text: &str, one: &Unreached, file: &str) -> std::ops::Range<u32> {
    if one.place.file != file {
        return 0..0;
    }
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut lines = text.lines().zip(1_u32..).skip_while(|(line, _)| {
        !["def ", "async def ", "func ", "fn ", "pub fn "].iter().any(|start| {
            line.trim_start().strip_prefix(start).is_some_and(|rest| starts_name(rest, &one.name))
        })
    });
    let Some((begin, first)) = lines.next() else { return 0..0 };
    let inside = |(line, _): &(&str, u32)| {
        let closes = line.trim_start().starts_with(['}', ')']) && indent(line) == indent(begin);
        line.is_empty() || indent(line) > indent(begin) || closes
    };
    first..first + 1 + u32::try_from(lines.take_while(inside).count()).unwrap_or(0)
}

fn starts_name(rest: &str, name: &str) -> bool {
    let after = rest.strip_prefix(name).and_then(|rest| rest.chars().next());
    after.is_some_and(|c| !c.is_alphanumeric() && c != '_')
}

/// Whether a line names it as a whole word.
fn names(line: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(name).any(|(at, _)| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        let after = line.get(at + name.len()..).and_then(|text| text.chars().next());
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(file: &str, text: &str, others: &[(&str, &str)]) -> Vec<String> {
        let lines = (1..=u32::try_from(text.lines().count()).unwrap()).collect();
        let own = [(file, text)];
        let all = others.iter().chain(&own);
        let all = all.map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect();
        unreached(private(file, text, &lines), &all).into_iter().map(|one| one.name).collect()
    }

    #[test]
    fn a_private_function_that_only_tests_name_is_unreached() {
        let text = "def split(a):\n    return a\n\n\ndef _shares(a):\n    return _shares(a - 1)\n";
        let named = ("tests/test_a.py", "from a import _shares\n");
        assert_eq!(found("a.py", text, &[named]), ["_shares"]);
        assert_eq!(found("a.py", text, &[("b.py", "from a import _shares\n")]), [""; 0]);
        let called = text.replace("return a\n", "return _shares(a)\n");
        assert_eq!(found("a.py", &called, &[named]), [""; 0]);
        assert_eq!(found("a.py", "@register\ndef _shares(a):\n    return a\n", &[]), [""; 0]);
    }

    #[test]
    fn what_a_test_loads_and_does_not_name_is_loaded_for_its_effect() {
        let other = "shop/taxes.py";
        for (text, effect) in [
            ("import shop.taxes  # noqa\nfrom shop.cart import Cart\n\nassert Cart()\n", true),
            ("from shop import taxes\n\nassert cart\n", true),
            ("from shop import taxes\n\nassert taxes.a\n", false),
            ("from shop.taxes import of\n\nassert of(1)\n", false),
            ("import shop.taxes\n\nassert shop.taxes.of(1)\n", false),
        ] {
            assert_eq!(for_effect("tests/test_a.py", text, other), effect, "{text}");
        }
        let js = |text: &str| for_effect("test/a.test.js", text, "lib/taxes.js");
        assert!(js("import '../lib/taxes.js';\nimport { a } from '../lib/a.js';\n"));
        assert!(!js("const { of } = require('../lib/taxes');\n"));
        let go = |text: &str| for_effect("a_test.go", text, "taxes/taxes.go");
        assert!(go("import (\n\t_ \"example.com/shop/taxes\"\n)\n"));
        assert!(!go("import \"example.com/shop/taxes\"\n"));
    }

    #[test]
    fn a_public_function_of_a_private_module_is_unreached_too() {
        let rust = "mod tax {\n    /// Of a net.\n    pub fn gross(a: u8) -> u8 {\n        gross(a)\n    }\n}\n\npub mod open {\n    pub fn net() {}\n}\n";
        assert_eq!(found("src/lib.rs", rust, &[]), ["gross"]);
        assert_eq!(found("src/lib.rs", &format!("{rust}pub use tax::gross;\n"), &[]), [""; 0]);
        assert_eq!(found("src/lib.rs", &format!("{rust}pub use tax::*;\n"), &[]), [""; 0]);
    }

    #[test]
    fn the_same_in_go_and_rust() {
        let go =
            "package a\n\nfunc Split() int { return 1 }\n\nfunc shares() int {\n\treturn 2\n}\n";
        assert_eq!(
            found("a.go", go, &[("a_test.go", "package a\n\nvar x = shares()\n")]),
            ["shares"]
        );
        let rust = "pub fn split() {}\n\n#[doc(hidden)]\npub fn fair() {}\n\nfn own() {}\n\npub fn uses() {\n    own()\n}\n";
        assert_eq!(found("src/a.rs", rust, &[("tests/a.rs", "use a::fair;\n")]), ["fair"]);
    }
}
