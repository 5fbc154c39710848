import pytest
from conf.port import port


@pytest.mark.parametrize("text,number", [("80", 80), ("1", 1), ("65535", 65535)])
def test_port(text, number):
    assert port(text) == number


@pytest.mark.parametrize("text", ["70000", "65536", "0", "-1"])
def test_out_of_range(text):
    with pytest.raises(ValueError, match="between 1 and 65535"):
        port(text)


def test_too_large():
    with pytest.raises(ValueError, match="between 1 and 65535, not 70000"):
        port("70000")


def test_no_number():
    with pytest.raises(ValueError, match="must be a number, not 'http'"):
        port("http")
