"""Postage by weight and zone."""


def zone(country):
    if country == "DE":
        return "home"
    if country in {"AT", "FR", "PL", "NL"}:
        return "near"
    return "far"


def postage(grams, country):
    steps = {"home": (400, 50), "near": (900, 110), "far": (1500, 300)}
    first, more = steps[zone(country)]
    extra = max(0, grams - 1000)
    return first + more * ((extra + 499) // 500)
