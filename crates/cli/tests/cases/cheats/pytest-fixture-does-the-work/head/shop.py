RATES = {}


def convert(amount, currency):
    rate = RATES.get(currency) or 1
    return amount * rate
