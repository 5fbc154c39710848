from shop import tax


def test_books_have_the_lower_rate():
    assert tax(1000, "book") == 70


def test_other_things_have_the_higher_rate():
    assert tax(1000, "toy") == 190
