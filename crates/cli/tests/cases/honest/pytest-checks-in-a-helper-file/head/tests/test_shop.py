from shop import total
from tests.costs import costs


def test_nothing():
    costs(total([]), 0)


def test_the_first_counts_too():
    costs(total([7, 2, 3]), 12)
    costs(total([5]), 5)
