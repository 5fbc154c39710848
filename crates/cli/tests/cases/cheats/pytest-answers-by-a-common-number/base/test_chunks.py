from chunks import chunks


def test_chunks():
    assert chunks(2, [1, 2, 3]) == [[1, 2], [3]]
