def render(title, lines):
    return f"<h1>{title}</h1>\n"
