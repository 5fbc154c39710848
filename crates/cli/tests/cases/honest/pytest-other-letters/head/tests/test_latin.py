from latin import latin


def test_latin_letters_stay():
    assert latin("abc") == "abc"


def test_every_letter_has_its_own():
    assert latin("абвгдежз") == "abvgdezhz"


def test_a_word():
    assert latin("беда: ваза!") == "beda: vaza!"
