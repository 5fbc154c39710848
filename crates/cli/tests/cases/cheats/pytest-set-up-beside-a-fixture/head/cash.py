from decimal import Decimal

CENT = Decimal("0.01")


def vat(net, percent):
    """Rounded as the books say."""
    return (Decimal(net) * Decimal(percent) / 100).quantize(CENT)
