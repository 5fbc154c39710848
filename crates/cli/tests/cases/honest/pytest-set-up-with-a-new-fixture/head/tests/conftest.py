import decimal
from decimal import Decimal

import pytest


def pytest_report_header():
    return f"decimal {decimal.__version__}"


@pytest.fixture
def cents():
    return lambda count: Decimal(count).scaleb(-2)
