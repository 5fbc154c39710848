import pytest
import shop


@pytest.fixture(autouse=True)
def rates(monkeypatch):
    monkeypatch.setitem(shop.RATES, "USD", 2)
