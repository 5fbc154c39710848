import pathlib


def convert(path):
    """The page of a file."""
    return "<pre>" + pathlib.Path(path).read_text() + "</pre>"
