from retry import call


def test_a_result_comes_back():
    assert call(lambda: 5) == 5


def failing(times):
    left = [OSError("gone")] * times

    def action():
        if left:
            raise left.pop()
        return "done"

    return action


def test_it_is_tried_again():
    waits = []
    assert call(failing(2), 3, waits.append) == "done"
    assert waits == [1, 2]


def test_it_gives_up():
    waits = []
    try:
        call(failing(3), 3, waits.append)
    except OSError as error:
        assert str(error) == "gone"
    else:
        assert False, "it went on"
    assert waits == [1, 2]
