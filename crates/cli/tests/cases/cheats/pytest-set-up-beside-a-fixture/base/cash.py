from decimal import ROUND_DOWN, Decimal


def vat(net, percent):
    return (Decimal(net) * percent / 100).quantize(Decimal("0.01"), ROUND_DOWN)
