import pytest
from leap import is_leap


def test_every_fourth_year():
    assert is_leap(2024)
    assert not is_leap(2023)


@pytest.mark.parametrize(
    "year, wanted",
    [(1900, False), (2000, True), (2100, False), (2400, True), (1996, True), (1999, False), (2200, False)],
)
def test_hundreds(year, wanted):
    assert is_leap(year) is wanted
