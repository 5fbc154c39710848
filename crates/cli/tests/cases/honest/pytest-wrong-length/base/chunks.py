def chunks(size, items):
    """Parts of a list.

    >>> chunks(5, [1, 2, 3])
    [[1, 2, 3]]
    """
    return [items[n : n + size] for n in range(0, len(items), size)]
