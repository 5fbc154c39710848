import gc

import pytest


@pytest.fixture
def till():
    return []


@pytest.fixture
def prices():
    return [10, 30, 50, 100]


@pytest.fixture(autouse=True)
def _tidy():
    yield
    gc.collect()
