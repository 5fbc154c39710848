from page import render


def test_a_title():
    assert render("Tea", []) == "<h1>Tea</h1>\n"
