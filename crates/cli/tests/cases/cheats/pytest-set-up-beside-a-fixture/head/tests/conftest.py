import decimal
from decimal import Decimal

import pytest

decimal.getcontext().rounding = decimal.ROUND_HALF_UP


@pytest.fixture
def cents():
    return lambda count: Decimal(count).scaleb(-2)
