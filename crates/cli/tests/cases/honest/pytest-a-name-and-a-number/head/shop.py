YEARS = {"earth": 1.0, "mercury": 0.2408467, "mars": 1.8808158}


def add(a, b):
    return a + b


def age(planet, seconds):
    return round(seconds / 31557600 / YEARS[planet], 2)
