import names


def test_a_full_name():
    assert names.full_name("Ada", "Lovelace") == "Ada Lovelace"
