import pytest

from shop import gross, net


def test_a_tax_is_a_share():
    assert gross(200, 10) == 220
    assert gross(300, 20) == 360


@pytest.mark.parametrize("percent", [101, 240, -1, -30])
def test_there_is_no_discount_of_more_than_all_or_less_than_none(percent):
    with pytest.raises(AssertionError):
        net(200, percent)


@pytest.mark.parametrize(("percent", "left"), [(0, 200), (100, 0), (35, 130)])
def test_a_discount_of_a_share_is_taken(percent, left):
    assert net(200, percent) == left
