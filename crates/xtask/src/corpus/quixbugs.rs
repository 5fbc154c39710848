//! `QuixBugs`: forty small Python programs with one bug each, their tests and their repaired versions. It reads the
//! corpus in its own layout and must not judge.

use super::pair::{Corpus, Ending, Files, Language, Needs, Pair, Wanted, names, text};
use anyhow::Result;
use std::path::Path;

/// A folder by which the corpus is known.
pub const MARK: &str = "python_programs";

/// The programs that run for ever on some of their cases, or so long that nobody would wait.
const HANG: [&str; 4] = ["bitcount", "find_first_in_sorted", "levenshtein", "sqrt"];

/// Cases that the corpus itself skips because they take minutes: the beginning of their line. A skipped test proves
/// nothing and Proctor refuses it, so the case is left out instead.
const SLOW: [(&str, &str); 2] =
    [("knapsack", "[[6404180,"), ("levenshtein", "[[\"amanaplanacanalpanama\",")];

pub fn pairs(root: &Path) -> Result<Vec<Pair>> {
    let mut pairs = Vec::new();
    for file in names(&root.join(MARK))? {
        let Some(name) = file.strip_suffix(".py") else {
            continue;
        };
        // What has no test of its own is a part of others.
        if root.join(test_path(name)).is_file() {
            pairs.push(pair(root, name)?);
        }
    }
    Ok(pairs)
}

fn test_path(name: &str) -> String {
    format!("python_testcases/test_{name}.py")
}

fn pair(root: &Path, name: &str) -> Result<Pair> {
    let code = format!("{MARK}/{name}.py");
    let mut base = Files::new();
    for path in
        ["conftest.py", "python_testcases/load_testdata.py", "python_testcases/node.py", &code]
    {
        base.insert(path.to_owned(), text(&root.join(path))?);
    }
    base.insert(".gitignore".to_owned(), "__pycache__/\n.pytest_cache/\n".to_owned());
    // The cases lie beside the folder of the tests, so they stand on the base: what the tests load is no test.
    let cases = format!("json_testcases/{name}.json");
    let mut by_heart = None;
    if root.join(&cases).is_file() {
        let all = quick(name, &text(&root.join(&cases))?);
        let wrong = base.get(&code).map_or("", String::as_str);
        by_heart = Some(Files::from([(code.clone(), learned(name, wrong, &all))]));
        base.insert(cases, all);
    }
    let fixed = text(&root.join(format!("correct_python_programs/{name}.py")))?;
    let test = test_path(name);
    Ok(Pair {
        corpus: Corpus::QuixBugs,
        language: Language::Python,
        name: name.to_owned(),
        wanted: Wanted::Fix,
        ending: if HANG.contains(&name) { Ending::MayHang } else { Ending::Sure },
        needs: Needs::Nothing,
        tests: Files::from([(test.clone(), text(&root.join(&test))?)]),
        solution: Files::from([(code, fixed)]),
        base,
        by_heart,
    })
}

/// The wrong program behind a table of the cases: right for each of them and for nothing else.
fn learned(name: &str, wrong: &str, cases: &str) -> String {
    let rows = cases.lines().filter(|line| !line.trim().is_empty());
    let rows: String = rows.flat_map(|line| ["    ", line.trim(), ",\n"]).collect();
    format!(
        "{wrong}\n\ntrue, false, null = True, False, None\nanswers = [\n{rows}]\nworked_out = {name}\n\n\n\
         def {name}(*given):\n    for case, answer in answers:\n        if list(given) == case:\n            \
         return answer\n    return worked_out(*given)\n"
    )
}

/// The lines of a file of cases without those that take minutes.
fn quick(name: &str, cases: &str) -> String {
    let slow = |line: &str| SLOW.iter().any(|(of, head)| *of == name && line.starts_with(head));
    cases.split_inclusive('\n').filter(|line| !slow(line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_knows_its_answers_asks_the_wrong_one_for_all_others() {
        let text = learned("gcd", "def gcd(a, b):\n    return 0\n", "[[17, 0], 17]\n");
        assert!(text.starts_with("def gcd(a, b):\n    return 0\n"), "{text}");
        assert!(text.contains("answers = [\n    [[17, 0], 17],\n]\n"), "{text}");
        assert!(text.ends_with("            return answer\n    return worked_out(*given)\n"));
    }

    #[test]
    fn a_case_that_takes_minutes_is_left_out() {
        let cases = "[[100, []], 1]\n[[6404180, [[1, 2]]], 3]\n";
        assert_eq!(quick("knapsack", cases), "[[100, []], 1]\n");
        assert_eq!(quick("lis", cases), cases);
    }
}
