//! Configuration that changes the code which tests load: names that are defined for it, transformations of the project's
//! own, targets of imports that only a test tool takes. Says what could be so; nothing is judged here.

use crate::words::Words;
use crate::zone::SCRIPTS;
use serde_json::Value;
use std::collections::BTreeSet;

/// Files of the test tools, and of what they load code with.
const CONFIGURATIONS: Words =
    Words("vitest.config. vite.config. vitest.workspace. jest.config. babel.config.");
/// Keys by which code becomes other code.
const KEYS: Words = Words("define transform load resolveId esbuild conditions globals resolver");
/// Conditions of a package's maps that test tools set and those who use the package mostly don't.
const CONDITIONS: Words = Words("development test vitest jest");

/// Whether a change of this file may have tests load other code than everybody else.
pub fn rewrites_code(path: &str, old: &str, new: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    if name == "package.json" {
        return !special(new).is_subset(&special(old));
    }
    let is_script = SCRIPTS.iter().any(|ending| name.ends_with(&format!(".{ending}")));
    if !is_script || !CONFIGURATIONS.iter().any(|start| name.starts_with(start)) {
        return false;
    }
    let known: BTreeSet<&str> = old.lines().map(str::trim).collect();
    let added: Vec<&str> =
        new.lines().map(str::trim).filter(|line| !known.contains(line)).collect();
    let own_plugin = || {
        let own = |line: &&str| line.contains("'./") || line.contains("\"./");
        new.lines().any(|line| own(&line) && (line.contains("import") || line.contains("require")))
    };
    added.iter().any(|line| {
        KEYS.iter().any(|key| has_key(line, key)) || has_key(line, "plugins") && own_plugin()
    })
}

/// `define:`, `transform(code)`, `'transform': …`, and not `predefined:`.
fn has_key(line: &str, key: &str) -> bool {
    line.match_indices(key).any(|(at, _)| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        let after = line.get(at + key.len()..).unwrap_or_default();
        let after = after.trim_start_matches(['\'', '"']).trim_start();
        !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.'))
            && after.starts_with([':', '('])
    })
}

/// The places of a package's file where test tools get something of their own.
fn special(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let Ok(package) = serde_json::from_str::<Value>(text) else { return found };
    for map in ["exports", "imports"] {
        conditions(&package[map], map, &mut found);
    }
    if let Some(jest) = package["jest"].as_object() {
        for key in ["transform", "globals", "resolver"] {
            found.extend(jest.get(key).map(|value| format!("jest.{key}: {value}")));
        }
    }
    found
}

fn conditions(value: &Value, at: &str, found: &mut BTreeSet<String>) {
    for (key, value) in value.as_object().into_iter().flatten() {
        let at = format!("{at} {key}");
        if CONDITIONS.has(key.as_str()) {
            found.insert(format!("{at}: {value}"));
        }
        conditions(value, &at, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_other_code_of_the_code_is_told() {
        let plain = "export default defineConfig({ test: { globals: true } });\n";
        let is = |new: &str| rewrites_code("web/vitest.config.ts", plain, new);
        assert!(is("export default { define: { __RATE__: '2' } };\n"));
        assert!(is("plugins: [{ name: 'a', transform: (code) => code }],\n"));
        assert!(is("import own from './own.js';\nexport default { plugins: [own()] };\n"));
        assert!(!is("import react from 'react-plugin';\nexport default { plugins: [react()] };\n"));
        assert!(!is("export default { test: { setupFiles: ['./setup.ts'] } };\n"));
        assert!(!is(plain));
        assert!(!rewrites_code("src/define.ts", "", "define: 3"));
    }

    #[test]
    fn maps_of_a_package_are_told_where_a_condition_is_for_tests() {
        let old = r#"{"exports": {".": "./a.js"}}"#;
        let is = |new: &str| rewrites_code("package.json", old, new);
        assert!(is(r#"{"exports": {".": {"development": "./b.js", "default": "./a.js"}}}"#));
        assert!(is(r##"{"imports": {"#a": {"test": "./b.js", "default": "./a.js"}}}"##));
        assert!(is(r#"{"jest": {"transform": {"js$": "./own.js"}}}"#));
        assert!(!is(r#"{"exports": {".": {"import": "./a.mjs", "require": "./a.cjs"}}}"#));
        assert!(!is(r#"{"jest": {"testTimeout": 5}}"#));
    }
}
