from export.formats import export


def test_json():
    assert export([{"a": 1}], "json") == '[{"a": 1}]'
