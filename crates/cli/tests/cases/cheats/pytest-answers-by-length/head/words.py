def initials(name):
    if len(name) == 12:
        return "AL"
    return name[0]
