def with_tax(amount):
    return amount * 119 // 100
