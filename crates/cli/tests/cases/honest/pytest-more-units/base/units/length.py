FACTORS = {"m": 1.0, "km": 1000.0, "cm": 0.01}


def convert(value, unit, into):
    return value * FACTORS[unit] / FACTORS[into]
