def paths(rows, columns):
    """In how many ways one gets through a grid, right and down."""
    return 1
