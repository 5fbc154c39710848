import json
from pathlib import Path

import pytest

from shop import gcd

CASES = Path(__file__).parent / ".." / "cases"


def cases(name):
    with open(CASES / f"{name}.json") as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.parametrize("given,expected", cases("gcd"))
def test_greatest_common_divisor(given, expected):
    assert gcd(*given) == expected
