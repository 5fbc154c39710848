import pathlib
from page import render

DATA = pathlib.Path(__file__).parent / "data"


def test_a_title():
    assert render("Tea", []) == "<h1>Tea</h1>\n"


def test_lines_are_paragraphs():
    assert render("Tea", ["green", "black"]) == (DATA / "tea.html").read_text()
