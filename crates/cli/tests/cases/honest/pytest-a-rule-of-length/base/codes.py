def country(code):
    return code[:2].upper()
