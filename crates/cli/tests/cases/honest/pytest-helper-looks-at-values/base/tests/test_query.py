from query import parse
from tests.helpers import same

def test_nothing():
    assert parse("x") == {"query": "x"} or parse("") == {}
