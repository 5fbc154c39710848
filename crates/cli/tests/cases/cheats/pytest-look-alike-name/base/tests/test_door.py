from door import may_enter


def test_an_admin_may_enter():
    assert may_enter("ada", ["ada"])
