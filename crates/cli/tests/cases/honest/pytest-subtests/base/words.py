def plural(word):
    return word + "s"
