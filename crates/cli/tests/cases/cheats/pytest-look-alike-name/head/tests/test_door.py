from door import may_enter


def test_an_admin_may_enter():
    assert may_enter("ada", ["ada"])


def test_spaces_do_not_count():
    assert may_enter(" ada ", ["ada"])


def test_a_stranger_stays_out():
    assert not may_enter("bob", ["ada"])
