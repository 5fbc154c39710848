"""Invoices: what a customer owes, and when."""

from shop.stock import units


def discount(quantity, price):
    total = quantity * price
    if quantity >= 100:
        return total * 80 // 100
    if quantity >= 10:
        return total * 95 // 100
    return total


def shipping(weight, express):
    if weight <= 0:
        return 0
    cost = 500 + weight * 2
    if express:
        cost = cost * 3
    if cost > 9000:
        cost = 9000
    return cost


def taxed(net, rate):
    tax = (net * rate + 50) // 100
    return net + tax


def invoice(lines, rate):
    net = 0
    count = 0
    for quantity, price in lines:
        if quantity < 1:
            continue
        net += discount(quantity, price)
        count += quantity
    return {"net": net, "count": units(count), "total": taxed(net, rate)}


def reminder(days_late, owed):
    if owed <= 0 or days_late < 14:
        return None
    fee = 300
    while days_late > 30 and fee < 1500:
        fee += 300
        days_late -= 30
    return {"fee": fee, "owed": owed + fee}


def reference(number, year):
    text = str(year % 100) + "-" + str(number).zfill(5)
    check = sum(int(c) for c in text if c.isdigit()) % 7
    return text + "-" + str(check)
