import pytest
from bank import withdraw


def test_money_is_taken():
    assert withdraw(10, 4) == 6


def test_everything_can_be_taken():
    assert withdraw(10, 10) == 0


def test_no_more_than_there_is():
    with pytest.raises(ValueError, match="11 wanted, 10 there"):
        withdraw(10, 11)
