import pathlib

from page import to_html

DATA = pathlib.Path(__file__).parent / "data"


def test_an_invoice_is_laid_out():
    page = to_html((DATA / "invoice.txt").read_text())
    assert page == (DATA / "invoice.html").read_text()
