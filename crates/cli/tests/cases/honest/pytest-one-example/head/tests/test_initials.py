from shop import initials


def test_initials():
    assert initials("Ada Lovelace") == "AL"
