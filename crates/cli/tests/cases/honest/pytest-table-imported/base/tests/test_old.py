from slugs import slug


def test_plain():
    assert slug("Green tea") == "green-tea"
