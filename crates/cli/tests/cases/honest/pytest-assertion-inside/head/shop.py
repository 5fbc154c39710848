def net(amount, percent):
    """What is left after a discount, which is never more than all of it."""
    if not 0 <= percent <= 100:
        raise ValueError(f"no such discount: {percent}")
    left = amount - amount * percent // 100
    assert left <= amount
    return left


def gross(amount, percent):
    """What it costs with a tax."""
    return amount + amount * percent // 100
