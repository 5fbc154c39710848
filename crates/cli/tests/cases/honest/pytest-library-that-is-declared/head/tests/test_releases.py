from shop.releases import first, latest


def test_the_first_name():
    assert first(["b", "a"]) == "a"


def test_the_highest_number_is_the_latest():
    assert latest(["1.9", "1.10"]) == "1.10"
    assert latest(["2.0", "1.99", "1.5"]) == "2.0"
    assert latest(["3.0rc1", "3.0"]) == "3.0"
