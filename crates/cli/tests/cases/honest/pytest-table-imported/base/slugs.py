def slug(title):
    return "-".join(title.lower().split())
