from search import find


def test_a_word_is_found():
    assert find(["a", "b"], "b") == 1


def test_it_is_found_fast():
    import time

    began = time.perf_counter()
    assert find(["a", "b"], "a") == 0
    assert time.perf_counter() - began < 0.1
