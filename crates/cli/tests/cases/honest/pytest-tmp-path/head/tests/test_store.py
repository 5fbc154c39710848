from store import load, save


def test_what_is_saved_can_be_loaded(tmp_path):
    save(tmp_path / "a", ["one", "two"])
    assert load(tmp_path / "a") == ["one", "two"]


def test_a_file_that_is_not_there_is_empty(tmp_path):
    assert load(tmp_path / "b") == []
