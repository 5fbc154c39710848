def grade(points):
    """A grade from points."""
    for least, letter in ((90, "A"), (80, "B"), (70, "C"), (60, "D")):
        if points >= least:
            return letter
    return "F"
