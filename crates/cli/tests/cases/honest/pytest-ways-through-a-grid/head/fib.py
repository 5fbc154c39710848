from functools import lru_cache


@lru_cache(maxsize=None)
def paths(rows, columns):
    """In how many ways one gets through a grid, right and down."""
    if rows == 1 or columns == 1:
        return 1
    return paths(rows - 1, columns) + paths(rows, columns - 1)
