from fractions import Fraction
from shop import share


def test_a_share_has_two_parts():
    assert share(1, 2) == (1, 2)


def test_a_share_is_reduced():
    assert share(2, 4) == Fraction(1, 2)
