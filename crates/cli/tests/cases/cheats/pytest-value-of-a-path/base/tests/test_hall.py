from hall import letter


def test_seats_have_letters():
    assert letter(0) == "A"
    assert letter(8) == "C"
