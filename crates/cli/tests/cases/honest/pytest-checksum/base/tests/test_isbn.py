from isbn import is_valid


def test_letters_are_not_valid():
    assert not is_valid("abc")
