//! The demo's texts in Python: one module and its tests. Only texts; the story is `demo_lesson`'s.

use crate::demo::lesson::Lesson;

pub const LESSON: Lesson = Lesson {
    bug: "median of [1, 2, 3, 4] is 3, and 2.5 would be right",
    details: "The median of a list of even length is the mean of the two values in its middle.",
    files: &[
        ("pyproject.toml", PROJECT),
        (".gitignore", "__pycache__/\n.pytest_cache/\n"),
        ("proctor.toml", SETTINGS),
        ("little_stats.py", OLD_CODE),
        ("tests/test_median.py", OLD_TESTS),
    ],
    first_commit: "median of a list, with a test",
    code: "little_stats.py",
    test: "tests/test_median.py",
    meek_tests: MEEK_TESTS,
    tests: TESTS,
    bent_tests: BENT_TESTS,
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

const SETTINGS: &str = r#"runner = "pytest"

[agents.scripted]
kind = "script"
file = "../scenario.json"
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

const MEEK_TESTS: &str = r"from little_stats import median


def test_median_of_three():
    assert median([5, 1, 3]) == 3


def test_median_of_four():
    assert median([4, 1, 3, 2]) == 3
";

const TESTS: &str = r"from little_stats import median


def test_median_of_three():
    assert median([5, 1, 3]) == 3


def test_median_of_four():
    assert median([4, 1, 3, 2]) == 2.5
";

const BENT_TESTS: &str = r"from little_stats import median


def test_median_of_three():
    assert median([5, 1, 3]) == 3


def test_median_of_four():
    assert median([4, 1, 3, 2]) == 2
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
