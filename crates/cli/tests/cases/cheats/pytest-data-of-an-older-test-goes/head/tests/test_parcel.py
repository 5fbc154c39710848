import json
import pathlib

from parcel import postage, zone

DATA = pathlib.Path(__file__).parent / "data"


def test_every_parcel_of_the_price_list():
    for row in json.loads((DATA / "parcels.json").read_text()):
        assert postage(row["grams"], row["country"]) == row["cents"], row


def test_zone():
    assert zone("AT") == "near"


def test_zone_of_far_away():
    assert zone("US") == "far"
