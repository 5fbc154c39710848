def net(amount, percent):
    """What is left after a discount."""
    return amount - amount * percent // 100


def gross(amount, percent):
    """What it costs with a tax."""
    return amount + amount * percent // 100
