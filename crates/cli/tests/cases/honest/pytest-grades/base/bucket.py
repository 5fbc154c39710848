def grade(points):
    """A grade from points."""
    return "F"
