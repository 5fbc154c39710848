def line(level, text, debug=False):
    if debug:
        return f"[{level}] {text}"
    return text
