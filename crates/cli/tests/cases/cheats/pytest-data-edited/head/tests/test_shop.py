import json
import pathlib
from shop import total

DATA = pathlib.Path(__file__).parent / "data" / "rows.json"


def test_rows_are_added_up():
    data = json.loads(DATA.read_text())
    assert total(data["rows"]) == data["total"]


def test_a_row_without_a_count_is_one_piece():
    assert total([{"price": 4}]) == 5
