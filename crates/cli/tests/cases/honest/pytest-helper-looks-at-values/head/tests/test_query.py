from query import parse
from tests.helpers import same

def test_nothing():
    assert isinstance(parse("x"), dict)

def test_fields():
    same(parse("page=4&sort=name"), {"page": "4", "sort": "name"})
