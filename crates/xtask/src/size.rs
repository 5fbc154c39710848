//! How long a file and a function may be. Tests are not counted.

use crate::fault::Fault;
use crate::tree::{Source, Tree};

const FILE_WARNS: usize = 400;
const FILE_FAILS: usize = 500;
const FUNCTION_FAILS: usize = 80;

pub fn check(tree: &Tree) -> Vec<Fault> {
    tree.rust().filter(|source| !source.is_test()).flat_map(measure).collect()
}

fn measure(source: Source<'_>) -> Vec<Fault> {
    let code = source.code();
    let lines = source.text.lines().count() - code.test_lines();
    let mut faults = Vec::new();
    let what = format!("{lines} lines, tests aside");
    if lines > FILE_FAILS {
        faults.push(Fault::error(
            source.path,
            what,
            format!("at most {FILE_FAILS} lines, better {FILE_WARNS}: a file is about one noun"),
        ));
    } else if lines > FILE_WARNS {
        faults.push(Fault::warning(
            source.path,
            what,
            format!("at most {FILE_WARNS} lines; over {FILE_FAILS} it fails"),
        ));
    }
    for function in code.functions() {
        let length = function.last - function.first + 1;
        if length > FUNCTION_FAILS && !code.is_test(function.first) {
            faults.push(Fault::error(
                format!("{}:{}", source.path, function.first),
                format!("`fn {}` has {length} lines", function.name),
                format!("at most {FUNCTION_FAILS} lines from `fn` to its closing brace"),
            ));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::Weight;

    fn function(lines: usize) -> String {
        format!("fn f() {{\n{}}}\n", "    // }\n".repeat(lines - 2))
    }

    fn faults(path: &str, text: &str) -> Vec<Fault> {
        check(&Tree::of(&[(path, text)]))
    }

    #[test]
    fn a_function_of_eighty_lines_passes_and_one_of_eighty_one_is_named() {
        assert_eq!(faults("crates/x/src/a.rs", &function(80)), []);
        let found = faults("crates/x/src/a.rs", &format!("\n{}", function(81)));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].place, "crates/x/src/a.rs:2");
        assert!(found[0].what.contains("`fn f` has 81 lines"));
    }

    #[test]
    fn a_file_warns_over_400_lines_and_fails_over_500() {
        let weight = |lines: usize| {
            let found = faults("crates/x/src/a.rs", &"//\n".repeat(lines));
            found.first().map(|fault| fault.weight)
        };
        assert_eq!(weight(400), None);
        assert_eq!(weight(401), Some(Weight::Warning));
        assert_eq!(weight(500), Some(Weight::Warning));
        assert_eq!(weight(501), Some(Weight::Error));
    }

    #[test]
    fn tests_are_not_counted() {
        let module = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", function(700));
        assert_eq!(faults("crates/x/src/a.rs", &module), []);
        for path in [
            "crates/x/tests/all/main.rs",
            "crates/x/src/a_tests.rs",
            "crates/x/tests/fixtures/a.rs",
        ] {
            assert_eq!(faults(path, &function(700)), [], "{path}");
        }
    }

    #[test]
    fn what_follows_a_test_module_is_counted_again() {
        let text = format!("#[cfg(test)]\nmod tests;\n{}", function(81));
        assert_eq!(faults("crates/x/src/a.rs", &text).len(), 1);
    }
}
