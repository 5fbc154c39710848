from ship import fee

def test_light():
    assert fee("de", 1) == 6

def test_abroad_costs_three_a_kilogram():
    assert fee("fr", 4) == 17
    assert fee("at", 6) == 23
