def parse(text):
    """The fields of a query, `a=1&b=2`."""
    found = {}
    for pair in text.split("&"):
        name, _, value = pair.partition("=")
        found[name] = value
    return found
