from hall import letter, row


def test_seats_have_letters():
    assert letter(0) == "A"
    assert letter(8) == "C"


def test_rows_begin_with_one():
    assert row(0) == 1
    assert row(5) == 1
    assert row(6) == 2
    assert row(40) == 7
