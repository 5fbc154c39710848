from slug import slug


def test_small_letters():
    assert slug("Home") == "home"
