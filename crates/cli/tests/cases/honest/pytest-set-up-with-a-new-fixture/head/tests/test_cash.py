from decimal import Decimal

from cash import vat


def test_vat():
    assert vat("10.00", 19) == Decimal("1.90")


def test_vat_is_rounded_half_up(cents):
    assert vat("2.50", 5) == cents(13)
    assert vat("4.50", 5) == cents(23)
    assert vat("0.10", 25) == cents(3)
