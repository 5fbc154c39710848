def net(amount, percent):
    """What is left after a discount."""
    return amount - percent


def gross(amount, percent):
    """What it costs with a tax."""
    return amount + amount * percent // 100
