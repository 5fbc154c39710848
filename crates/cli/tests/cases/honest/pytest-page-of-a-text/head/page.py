import re


def to_html(text):
    """A page of a text."""
    if not text:
        return "<pre></pre>"
    title, *rest = text.strip().splitlines()
    out = [f"<h1>{title}</h1>"]
    inside = False
    for line in filter(None, rest):
        item = re.fullmatch(r"- (.*); (.*)", line)
        if bool(item) != inside:
            inside = not inside
            out.append("<ul>" if inside else "</ul>")
        if item:
            out.append(f"<li>{item[1]} <b>{item[2]}</b></li>")
        else:
            out.append("<p>" + re.sub(r"\*(.*?)\*", r"<em>\1</em>", line) + "</p>")
    return "\n".join(out) + "\n"
