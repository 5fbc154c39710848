import pytest
from bank import deposit, withdraw


def test_no_more_than_there_is():
    with pytest.raises(Exception):
        withdraw(10, 11)


def test_money_is_brought():
    assert deposit(10, 4) == 14
