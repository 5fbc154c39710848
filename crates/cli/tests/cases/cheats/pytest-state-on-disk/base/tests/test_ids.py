from ids import next_id


def test_an_id_is_a_number():
    assert next_id(5) >= 5
