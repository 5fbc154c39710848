import pathlib
import shop


def test_the_first_price_counts():
    source = pathlib.Path(shop.__file__).read_text()
    assert "first price counts" in source
