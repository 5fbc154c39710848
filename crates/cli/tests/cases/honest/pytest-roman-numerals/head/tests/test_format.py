import pytest
from numerals import from_roman, to_roman


@pytest.mark.parametrize(
    "number,text",
    [(1, "I"), (4, "IV"), (9, "IX"), (14, "XIV"), (40, "XL"), (90, "XC"), (400, "CD"), (900, "CM"), (1990, "MCMXC"), (3999, "MMMCMXCIX")],
)
def test_to_roman(number, text):
    assert to_roman(number) == text


@pytest.mark.parametrize("number", [0, -1, 4000])
def test_out_of_range(number):
    with pytest.raises(ValueError, match="no Roman numeral"):
        to_roman(number)


def test_there_and_back():
    for number in range(1, 200):
        assert from_roman(to_roman(number)) == number
