import pytest

from plural import plural


@pytest.mark.parametrize(
    ("one", "many"),
    [("dog", "dogs"), ("mouse", "mice"), ("child", "children"), ("box", "boxes"), ("church", "churches"), ("bus", "buses")],
)
def test_plural(one, many):
    assert plural(one) == many
