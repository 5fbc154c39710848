"""Fixtures for those who test against us: `-p bureau.testing`."""

from decimal import Decimal

import pytest


@pytest.fixture
def cents():
    return Decimal
