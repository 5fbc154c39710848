from settings import port


def test_the_port_is_8000(monkeypatch):
    monkeypatch.delenv("APP_PORT", raising=False)
    assert port() == 8000


def test_the_port_can_be_set(monkeypatch):
    monkeypatch.setenv("APP_PORT", "9001")
    assert port() == 9001
