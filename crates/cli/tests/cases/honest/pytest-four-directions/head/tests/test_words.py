import pytest
from words import opposite, title


def test_title():
    assert title("a b") == "A B"


def test_opposite():
    assert opposite("north") == "south"
    assert opposite("south") == "north"
    assert opposite("east") == "west"
    assert opposite("west") == "east"


def test_unknown():
    with pytest.raises(ValueError, match="up"):
        opposite("up")
