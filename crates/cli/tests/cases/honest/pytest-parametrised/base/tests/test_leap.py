from leap import is_leap


def test_every_fourth_year():
    assert is_leap(2024)
    assert not is_leap(2023)
