import shop


def test_the_last_word_is_the_one_that_was_noted_last(monkeypatch):
    monkeypatch.setattr(shop, "SEEN", ["a", "b", "c"])
    assert shop.last() == "c"
