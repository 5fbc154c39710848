def port(text):
    value = int(text)
    if value > 65535:
        raise ValueError("bad port")
    return value
