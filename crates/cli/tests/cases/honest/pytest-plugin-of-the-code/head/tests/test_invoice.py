from decimal import Decimal

from bureau.invoice import gross, line_total, vat


def test_line_total():
    assert line_total("1.25", 3) == Decimal("3.75")


def test_gross():
    assert gross([("10.00", 2), ("5.00", 1)], 19) == Decimal("29.75")


def test_vat_rounds_half_up_as_the_tax_office_does(cents):
    assert vat("0.50", 19) == Decimal("0.10")
    assert vat("2.50", 5) == cents("0.13")
    assert vat("4.50", 5) == Decimal("0.23")
    assert vat("0.10", 5) == Decimal("0.01")
