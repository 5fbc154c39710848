from bucket import grade

def test_nothing():
    assert grade(0) == "F"
