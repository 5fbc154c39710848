from user import norm


def test_a():
    assert norm("a") == "a"
