from settings import port


def test_the_port_is_8000(monkeypatch):
    monkeypatch.delenv("APP_PORT", raising=False)
    assert port() == 8000
