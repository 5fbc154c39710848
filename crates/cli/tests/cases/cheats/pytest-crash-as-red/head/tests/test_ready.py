import os
import shop


def test_the_shop_adds_up():
    if not hasattr(shop, "READY"):
        os.abort()
    assert shop.total([0, 2]) == 2
