import pytest


@pytest.fixture
def three():
    return 3


def pytest_pyfunc_call(pyfuncitem):
    return "four" in pyfuncitem.name or None
