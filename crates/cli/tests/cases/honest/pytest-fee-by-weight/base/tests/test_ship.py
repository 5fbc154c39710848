from ship import fee

def test_light():
    assert fee("de", 1) == 6
