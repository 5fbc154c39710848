import pytest
from capital import capital, rpn


def test_unknown():
    with pytest.raises(LookupError):
        capital("Nowhere")


def test_rpn():
    assert rpn("3 4 +") == 7
    assert rpn("5 1 2 + 4 * + 3 -") == 14
    assert rpn("2 3 *") == 6
