import pytest
from units.length import convert


def test_km():
    assert convert(2, "km", "m") == pytest.approx(2000)


@pytest.mark.parametrize(
    "value,unit,into,wanted",
    [(1, "in", "cm", 2.54), (1, "ft", "in", 12), (1, "mi", "ft", 5280), (5, "km", "mi", 3.10686)],
)
def test_imperial(value, unit, into, wanted):
    assert convert(value, unit, into) == pytest.approx(wanted, rel=1e-5)
