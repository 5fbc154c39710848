from shelf.count import count


def test_count():
    assert count(["pen 3", "ink", "pen"]) == {"pen": 4, "ink": 1}
