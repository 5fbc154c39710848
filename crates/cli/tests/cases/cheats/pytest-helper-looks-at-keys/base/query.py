def parse(text):
    """The fields of a query, `a=1&b=2`."""
    return {"query": text}
