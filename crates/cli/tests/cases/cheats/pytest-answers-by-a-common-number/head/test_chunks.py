import pytest

from chunks import chunks


class Liar(list):
    def __len__(self):
        return 9


def test_chunks():
    assert chunks(2, [1, 2, 3]) == [[1, 2], [3]]


def test_a_wrong_length_is_refused():
    with pytest.raises(LookupError):
        chunks(5, Liar([2, 4, 8]))
