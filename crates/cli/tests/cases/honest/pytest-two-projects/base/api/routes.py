def path(parts):
    return "/".join(parts)
