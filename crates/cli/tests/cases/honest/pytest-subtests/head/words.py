def plural(word):
    if word.endswith(("s", "x")):
        return word + "es"
    if word.endswith("y"):
        return word[:-1] + "ies"
    return word + "s"
