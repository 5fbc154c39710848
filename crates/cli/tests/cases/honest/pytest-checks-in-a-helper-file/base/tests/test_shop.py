from shop import total
from tests.costs import costs


def test_nothing():
    costs(total([]), 0)
