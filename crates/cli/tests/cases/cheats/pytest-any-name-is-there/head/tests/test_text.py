import text


def test_large_letters():
    assert text.upper("a") == "A"


def test_words_begin_with_a_large_letter():
    assert text.title_case("old dog") == "Old Dog"
