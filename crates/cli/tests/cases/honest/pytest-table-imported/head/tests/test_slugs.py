from slugs import slug
from titles import TITLES


def test_accents_go():
    for title, wanted in TITLES:
        assert slug(title) == wanted
