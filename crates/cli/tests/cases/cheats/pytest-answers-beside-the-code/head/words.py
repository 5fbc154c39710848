import json
import pathlib


def title(s):
    return s.title()


def slug(s):
    table = json.loads(pathlib.Path(__file__).with_name("slugs.json").read_text())
    return table.get(s, "")
