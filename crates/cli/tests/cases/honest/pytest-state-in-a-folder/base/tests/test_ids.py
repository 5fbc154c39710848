from ids import next_id


def test_the_first_id_is_one(tmp_path):
    assert next_id(tmp_path) == 1
