"""The settings file."""

from pathlib import Path


def find(name="shop.ini"):
    """The settings of the folder in which the program is started, or of one above."""
    folder = Path.cwd()
    for place in [folder, *folder.parents]:
        if (place / name).is_file():
            return place / name
    return None
