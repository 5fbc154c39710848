import pathlib


def convert(path):
    """The page of a file."""
    path = pathlib.Path(path)
    done = path.with_suffix(".html")
    if done.exists() and done.stat().st_size:
        return done.read_text()
    return "<pre>" + path.read_text() + "</pre>"
