from retry import call


def test_a_result_comes_back():
    assert call(lambda: 5) == 5
