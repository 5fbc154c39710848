def words(text):
    return text.split()


def shortened(text, most):
    if len(text) <= most:
        return text
    cut = text[: most - 1]
    if text[most - 1] != " " and " " in cut:
        cut = cut.rsplit(" ", 1)[0]
    return cut.rstrip() + "…"
