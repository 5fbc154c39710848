import pytest
from bank import NotEnough, withdraw


def test_no_more_than_there_is():
    with pytest.raises(NotEnough):
        withdraw(10, 11)
