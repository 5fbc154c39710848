def render(title, lines):
    body = "".join(f"<p>{line}</p>\n" for line in lines)
    return f"<h1>{title}</h1>\n{body}"
