"""Test files that unittest's discovery takes and pytest's own patterns leave out: `test.py` and `tests.py`.

Contributors of such a project run them with `python test.py` or `python -m unittest`. They count where they hold
tests and the project's configuration does not say itself which files are tests.
"""

import ast

import pytest

NAMES = ("test.py", "tests.py")
OF_PYTEST = ["test_*.py", "*_test.py"]


def _holds_tests(path):
    # A script of this name may do anything when it is imported.
    try:
        body = ast.parse(path.read_bytes()).body
    except (OSError, SyntaxError, ValueError):
        return False
    return any(_is_test(node) for node in body)


def _is_test(node):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return node.name.startswith("test")
    if not isinstance(node, ast.ClassDef):
        return False
    bases = [ast.unparse(base).rpartition(".")[2] for base in node.bases]
    cases = node.name.startswith("Test") or any(name.endswith("TestCase") for name in bases)
    return cases and any(_is_test(inner) for inner in node.body)


def pytest_collect_file(file_path, parent):
    if file_path.name not in NAMES or list(parent.config.getini("python_files")) != OF_PYTEST:
        return None
    # What is named on the command line pytest takes by itself.
    if parent.session.isinitpath(file_path) or not _holds_tests(file_path):
        return None
    return pytest.Module.from_parent(parent, path=file_path)
