# Fees of an order.


def fee(amount):
    # Large orders are free.
    return 5 if amount < 100 else 0
