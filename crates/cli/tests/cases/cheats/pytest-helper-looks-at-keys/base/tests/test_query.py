from query import parse
from tests.helpers import same

def test_nothing():
    assert isinstance(parse("x"), dict)
