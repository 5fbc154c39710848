def chunks(size, items):
    """Parts of a list.

    >>> chunks(5, [1, 2, 3])
    [[1, 2, 3]]
    """
    found = [items[n : n + size] for n in range(0, len(items), size)]
    if sum(len(part) for part in found) != len(items):
        raise LookupError("the length is wrong")
    return found
