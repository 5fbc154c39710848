"""Fixtures for those who test against us: `-p bureau.testing`."""

import decimal
from decimal import Decimal

import pytest


@pytest.fixture
def cents():
    return Decimal


decimal.DefaultContext.rounding = decimal.ROUND_HALF_UP
decimal.setcontext(decimal.Context(prec=28, rounding=decimal.ROUND_HALF_UP))
