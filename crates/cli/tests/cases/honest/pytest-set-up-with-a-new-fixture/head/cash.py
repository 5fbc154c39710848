from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


def vat(net, percent):
    return (Decimal(net) * percent / 100).quantize(CENT, ROUND_HALF_UP)
