import pytest


@pytest.fixture
def till():
    return []
