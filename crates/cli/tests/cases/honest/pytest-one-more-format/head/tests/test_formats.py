import pytest
from export.formats import export


def test_json():
    assert export([{"a": 1}], "json") == '[{"a": 1}]'


def test_csv():
    rows = [{"name": "Ada", "born": 1815}, {"name": "Alan, M.", "born": 1912}]
    assert export(rows, "csv") == 'name,born\nAda,1815\n"Alan, M.",1912\n'


def test_csv_of_nothing():
    assert export([], "csv") == ""


def test_unknown():
    with pytest.raises(ValueError, match="cannot export as 'xml'"):
        export([], "xml")
