def withdraw(balance, amount):
    return balance - amount
