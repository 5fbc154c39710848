from stats import spread

def test_none():
    assert spread([]) == 0.0
