import sys

import pytest
from paths import join


def test_two_parts():
    assert join("a", "b") == "a/b"


def test_empty_parts_are_left_out():
    assert join("a", "", "b") == "a/b"


@pytest.mark.skipif(sys.platform != "win32", reason="drives are a matter of Windows")
def test_a_drive():
    assert join("c:", "b") == "c:/b"
