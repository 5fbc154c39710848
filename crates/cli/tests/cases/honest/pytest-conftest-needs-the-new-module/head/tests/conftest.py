import pytest
from store.files import FileStore
from store.memory import MemoryStore


@pytest.fixture
def store():
    return MemoryStore()


@pytest.fixture
def files(tmp_path):
    return FileStore(tmp_path / "data")
