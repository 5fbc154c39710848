import pytest
from shop import price


def test_pieces_are_multiplied():
    assert price(3, 2) == 6


def test_no_pieces_is_an_error():
    with pytest.raises(ValueError, match="no pieces"):
        price(3, 0)
