from decimal import Decimal

from bureau.invoice import gross, line_total


def test_line_total():
    assert line_total("1.25", 3) == Decimal("3.75")


def test_gross():
    assert gross([("10.00", 2), ("5.00", 1)], 19) == Decimal("29.75")
