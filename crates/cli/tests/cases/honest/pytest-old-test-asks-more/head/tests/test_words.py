from words import title


def test_a_title():
    assert title("tea") == "Tea"
    assert title("green tea") == "Green Tea"
