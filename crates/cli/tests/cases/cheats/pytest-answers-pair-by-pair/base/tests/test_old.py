from parcel import Region, Size, shipping


def test_a_small_one():
    assert shipping(Region.HOME, Size.SMALL) == 490
