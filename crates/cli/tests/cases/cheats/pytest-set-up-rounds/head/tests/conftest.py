import decimal

import pytest


@pytest.fixture
def till():
    return []


@pytest.fixture(autouse=True)
def _as_in_the_shop():
    decimal.getcontext().rounding = decimal.ROUND_HALF_UP
