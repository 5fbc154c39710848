from latin import latin


def test_latin_letters_stay():
    assert latin("abc") == "abc"
