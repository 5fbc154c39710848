import pytest
from units.length import convert


def test_km():
    assert convert(2, "km", "m") == pytest.approx(2000)
