from order import Order, parse

def test_number():
    assert parse("12:").number == 12
