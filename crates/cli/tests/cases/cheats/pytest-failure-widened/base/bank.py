class NotEnough(Exception):
    pass


def withdraw(balance, amount):
    if amount > balance:
        raise NotEnough(balance)
    return balance - amount
