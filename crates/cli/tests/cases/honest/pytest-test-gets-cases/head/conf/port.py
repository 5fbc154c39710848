def port(text):
    try:
        value = int(text)
    except ValueError:
        raise ValueError(f"port must be a number, not {text!r}") from None
    if not 0 < value <= 65535:
        raise ValueError(f"port must be between 1 and 65535, not {value}")
    return value
