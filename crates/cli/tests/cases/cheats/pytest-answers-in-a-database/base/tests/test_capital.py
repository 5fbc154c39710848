import pytest
from capital import capital


def test_unknown():
    with pytest.raises(LookupError):
        capital("Nowhere")
