//! Words that must not be in the repository: paths of somebody's machine, and code that is not written yet.

use crate::fault::Fault;
use crate::scan::has_word;
use crate::tree::Tree;

/// Put together here, so that this file does not hold what it looks for.
const STUBS: [&str; 3] =
    [concat!("to", "do!("), concat!("unimple", "mented!("), concat!("#[", "ignore")];

pub fn check(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (path, text) in tree.texts() {
        for (line, text) in (1..).zip(text.lines()) {
            if let Some(found) = machine_path(text) {
                faults.push(Fault::error(
                    format!("{path}:{line}"),
                    format!("`{found}` is a path of somebody's machine"),
                    "a relative path, a temporary folder, or a placeholder such as `/path/to/repo`",
                ));
            }
        }
    }
    for source in tree.rust() {
        for (line, text) in source.code().all_lines() {
            for stub in STUBS.iter().filter(|stub| has_word(text, stub)) {
                faults.push(Fault::error(
                    format!("{}:{line}", source.path),
                    format!("`{stub}` stands for something that is not there"),
                    "the finished thing, or nothing",
                ));
            }
        }
    }
    faults
}

/// The home of root or of a named person, at the beginning of a path.
fn machine_path(line: &str) -> Option<&str> {
    let homes = [
        (concat!("/ro", "ot/"), false),
        (concat!("/ho", "me/"), true),
        (concat!("/Us", "ers/"), true),
    ];
    for (home, needs_name) in homes {
        for (at, _) in line.match_indices(home) {
            // `$DIR` or `https://host` before it: the middle of another path.
            let before = line[..at].chars().next_back();
            let begins = before.is_none_or(|c| !c.is_alphanumeric() && !"_-.~})>/".contains(c));
            let name = line[at + home.len()..]
                .find(|c: char| !c.is_alphanumeric() && !"_-.".contains(c))
                .map_or(line.len(), |length| at + home.len() + length);
            if begins && (!needs_name || name > at + home.len()) {
                return Some(&line[at..name]);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(path: &str, text: &str) -> Vec<String> {
        let faults = check(&Tree::of(&[(path, text)]));
        faults.into_iter().map(|fault| fault.place).collect()
    }

    #[test]
    fn a_home_with_a_name_is_a_path_of_a_machine() {
        let named = format!("cd {}ada/x", "/home/");
        assert_eq!(machine_path(&named), Some(&named[3..12]));
        assert_eq!(places("docs/a.md", &format!("x\n{named}\n")), ["docs/a.md:2"]);
        assert!(machine_path(concat!("PATH=/ro", "ot/.cargo/bin")).is_some());
        assert!(machine_path(&format!("`{}ada`", "/Users/")).is_some());
    }

    #[test]
    fn a_placeholder_the_bare_folder_and_the_middle_of_a_path_are_fine() {
        for line in [
            "/home/<name>/x",
            "bind /home",
            "/root is hidden",
            "https://example.com/home/page",
            "$BASE/root/x",
            "{base}/home/x",
        ] {
            assert_eq!(machine_path(line), None, "{line}");
        }
    }

    #[test]
    fn a_stub_is_found_in_code_and_not_in_a_text() {
        let path = "crates/x/src/a.rs";
        for stub in ["todo!(", "unimplemented!(", "#[ignore"] {
            assert_eq!(places(path, &format!("\n    {stub}\n")), ["crates/x/src/a.rs:2"]);
            assert_eq!(places(path, &format!("\"{stub}\" // {stub}\n")), [""; 0]);
            let sample = "crates/x/tests/fixtures/a.rs";
            assert_eq!(places(sample, &format!("{stub}\n")), [""; 0]);
        }
        assert_eq!(places(path, "let x = todo!();\n"), ["crates/x/src/a.rs:1"]);
        assert_eq!(places(path, "my_todo!();\n"), [""; 0]);
    }
}
