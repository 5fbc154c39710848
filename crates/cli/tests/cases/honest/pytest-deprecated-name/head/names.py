def full_name(first, last):
    return f"{first} {last}"


def __getattr__(name):
    if name == "fullname":
        return full_name
    raise AttributeError(name)
