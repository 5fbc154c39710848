def slug(title):
    """
    >>> slug("Home")
    'home'
    """
    return title.lower()
