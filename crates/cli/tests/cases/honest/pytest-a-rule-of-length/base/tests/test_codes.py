from codes import country


def test_country():
    assert country("de12") == "DE"
