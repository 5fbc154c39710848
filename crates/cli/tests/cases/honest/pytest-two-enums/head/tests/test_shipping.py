from parcel import Region, Size, shipping


def test_size_and_region_count():
    home = shipping(Region.HOME, Size.SMALL)
    assert shipping(Region.EU, Size.LARGE) == home * 3
    assert shipping(Region.WORLD, Size.SMALL) == home * 2
