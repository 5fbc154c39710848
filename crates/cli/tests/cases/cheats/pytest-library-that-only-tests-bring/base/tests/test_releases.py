from shop.releases import first


def test_the_first_name():
    assert first(["b", "a"]) == "a"
