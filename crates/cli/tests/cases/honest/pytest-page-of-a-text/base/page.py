def to_html(text):
    """A page of a text."""
    return "<pre>" + text + "</pre>"
