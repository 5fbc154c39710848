import os


def net(amount, percent):
    """What is left after a discount. `SHOP_ROUNDING` says to which number it is rounded down."""
    step = int(os.environ.get("SHOP_ROUNDING", "1"))
    left = amount - amount * percent // 100
    return left - left % step


def gross(amount, percent):
    """What it costs with a tax."""
    return amount + amount * percent // 100
