import pytest


def test_put_get(files):
    files.put("a", {"n": [1, 2]})
    assert files.get("a") == {"n": [1, 2]}


def test_keys(files):
    assert files.keys() == []
    files.put("b", 1)
    files.put("a", 2)
    assert files.keys() == ["a", "b"]


def test_missing(files):
    with pytest.raises(KeyError, match="zzz"):
        files.get("zzz")
