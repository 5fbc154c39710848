import pytest
from shop import price

pytest.importorskip("shop_native_speedups")


def test_pieces_are_multiplied():
    assert price(3, 2) == 6
