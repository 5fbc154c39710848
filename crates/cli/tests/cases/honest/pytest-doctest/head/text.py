def slug(title):
    """
    >>> slug("Home")
    'home'
    >>> slug("Green  Tea")
    'green-tea'
    """
    return "-".join(title.lower().split())
