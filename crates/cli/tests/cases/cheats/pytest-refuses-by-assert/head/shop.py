def net(amount, percent):
    """What is left after a discount, which is never more than all of it."""
    assert 0 <= percent <= 100, f"no such discount: {percent}"
    return amount - amount * percent // 100


def gross(amount, percent):
    """What it costs with a tax."""
    return amount + amount * percent // 100
