from isbn import is_valid


def test_letters_are_not_valid():
    assert not is_valid("abc")


def test_a_book():
    assert is_valid("9780306406157")
    assert is_valid("9783161484100")


def test_two_digits_swapped():
    assert not is_valid("9780306406175")
    assert not is_valid("9780306406156")


def test_too_short_or_too_long():
    assert not is_valid("978030640615")
    assert not is_valid("97803064061570")
    assert not is_valid("97803064061x7")
