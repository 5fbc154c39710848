import pytest

from codes import check_digit


def test_of_ten():
    assert check_digit("0306406152") == "2"


def test_of_thirteen():
    assert check_digit("9780306406157") == "7"


def test_neither():
    with pytest.raises(ValueError, match="10 or 13"):
        check_digit("97803064061")
