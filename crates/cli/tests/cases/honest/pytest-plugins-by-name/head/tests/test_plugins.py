from plugins import load


def test_no_plugin():
    assert load("none") is None


def test_a_plugin_by_name():
    assert load("shout")("a") == "A"
