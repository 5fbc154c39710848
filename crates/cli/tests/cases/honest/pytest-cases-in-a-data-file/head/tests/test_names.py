import json
from pathlib import Path

import pytest

from shop import said

CASES = Path(__file__).parent / ".." / "cases"


def cases(name):
    with open(CASES / f"{name}.json") as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.parametrize("status,expected", cases("said"))
def test_a_status_has_a_name(status, expected):
    assert said(status) == expected
