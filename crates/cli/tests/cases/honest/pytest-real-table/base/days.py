def name(number):
    return str(number)
