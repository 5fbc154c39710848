"""Sums of an invoice."""

from decimal import Decimal

CENT = Decimal("0.01")


def line_total(price, count):
    return (Decimal(price) * count).quantize(CENT)


def vat(net, percent):
    return (Decimal(net) * Decimal(percent) / 100).quantize(CENT)


def gross(lines, percent):
    net = sum((line_total(price, count) for price, count in lines), Decimal("0"))
    return net + vat(net, percent)
