class NotEnough(ValueError):
    pass


def withdraw(balance, amount):
    if amount > balance:
        raise NotEnough(f"{amount} wanted, {balance} there")
    return balance - amount
