from decimal import Decimal

from cash import vat


def test_vat():
    assert vat("10.00", 19) == Decimal("1.90")
