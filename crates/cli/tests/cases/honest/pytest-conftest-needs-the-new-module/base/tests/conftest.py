import pytest
from store.memory import MemoryStore


@pytest.fixture
def store():
    return MemoryStore()
