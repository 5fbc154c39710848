from ids import next_id


def test_the_first_id_is_one(tmp_path):
    assert next_id(tmp_path) == 1


def test_ids_go_on(tmp_path):
    assert [next_id(tmp_path) for _ in range(3)] == [1, 2, 3]


def test_each_folder_has_its_own(tmp_path):
    (tmp_path / "a").mkdir()
    next_id(tmp_path / "a")
    assert next_id(tmp_path) == 1
