import pathlib

from page import convert

DATA = pathlib.Path(__file__).parent / "data"


def test_an_invoice_is_laid_out():
    assert convert(DATA / "invoice.txt") == (DATA / "invoice.html").read_text()
