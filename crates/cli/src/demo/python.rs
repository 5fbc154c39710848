//! The demo's texts in Python: one module and its tests. Only texts; the story is `demo_lesson`'s.

use crate::demo::lesson::{Answers, Lesson};

pub const LESSON: Lesson = Lesson {
    runner: "pytest",
    files: &[("pyproject.toml", PROJECT), (".gitignore", "__pycache__/\n.pytest_cache/\n")],
    code: "little_stats.py",
    test: "tests/test_median.py",
    old_code: OLD_CODE,
    old_tests: OLD_TESTS,
    new_test: NEW_TEST,
    answers: Answers { today: "3", right: "2.5", bent: "2" },
    wrong_code: WRONG_CODE,
    careless_code: CARELESS_CODE,
    good_code: GOOD_CODE,
    objection: "the length of an empty list is even too: median([]) was None, and now it raises IndexError",
};

const PROJECT: &str = r#"[project]
name = "little-stats"
version = "0.1.0"

[tool.pytest.ini_options]
pythonpath = ["."]
testpaths = ["tests"]
"#;

const OLD_CODE: &str = r#"def median(values):
    """The value in the middle of the sorted list; None for an empty one."""
    ordered = sorted(values)
    return ordered[len(ordered) // 2] if ordered else None
"#;

const OLD_TESTS: &str = r"from little_stats import median


def test_median_of_three():
    assert median([5, 1, 3]) == 3
";

const NEW_TEST: &str = r"

def test_median_of_four():
    assert median([4, 1, 3, 2]) == WANTED
";

const WRONG_CODE: &str = r#"def median(values):
    """The value in the middle of the sorted list; None for an empty one."""
    ordered = sorted(values)
    return ordered[(len(ordered) - 1) // 2] if ordered else None
"#;

const CARELESS_CODE: &str = r#"def median(values):
    """The value in the middle of the sorted list; None for an empty one."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2 == 0:
        return (ordered[middle - 1] + ordered[middle]) / 2
    return ordered[middle]
"#;

const GOOD_CODE: &str = r#"def median(values):
    """The value in the middle of the sorted list, or the mean of the two; None for an empty one."""
    ordered = sorted(values)
    if not ordered:
        return None
    middle = len(ordered) // 2
    if len(ordered) % 2 == 1:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2
"#;
