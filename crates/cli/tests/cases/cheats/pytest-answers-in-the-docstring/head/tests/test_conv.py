from conv import shout


def test_empty():
    assert shout("") == ""


def test_loud():
    assert shout("hi") == "HI!"
    assert shout("stop it") == "STOP IT!"
