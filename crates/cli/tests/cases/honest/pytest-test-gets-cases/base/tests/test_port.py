import pytest
from conf.port import port


def test_port():
    assert port("80") == 80


def test_too_large():
    with pytest.raises(ValueError, match="bad port"):
        port("70000")
