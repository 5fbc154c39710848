def initials(name):
    return name[0]
