def withdraw(balance, amount):
    if amount > balance:
        raise NotEnoughMoney(balance, amount)
    return balance - amount
