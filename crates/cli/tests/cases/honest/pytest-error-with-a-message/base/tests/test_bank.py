from bank import withdraw


def test_money_is_taken():
    assert withdraw(10, 4) == 6
