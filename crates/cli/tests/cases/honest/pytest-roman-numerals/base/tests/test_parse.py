import pytest
from numerals import from_roman


@pytest.mark.parametrize("text,value", [("III", 3), ("IV", 4), ("MCMXC", 1990)])
def test_from_roman(text, value):
    assert from_roman(text) == value
