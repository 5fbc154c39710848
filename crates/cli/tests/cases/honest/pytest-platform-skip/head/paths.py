def join(*parts):
    return "/".join(part for part in parts if part)
