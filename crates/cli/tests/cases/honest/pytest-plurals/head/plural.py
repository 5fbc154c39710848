IRREGULAR = {"mouse": "mice", "child": "children"}


def plural(word):
    if word in IRREGULAR:
        return IRREGULAR[word]
    if word.endswith(("s", "x", "ch")):
        return word + "es"
    return word + "s"
