import pytest
import names


def test_a_full_name():
    assert names.full_name("Ada", "Lovelace") == "Ada Lovelace"


def test_the_old_name_still_works():
    assert names.fullname("Ada", "Lovelace") == "Ada Lovelace"


def test_another_name_does_not():
    with pytest.raises(AttributeError, match="nickname"):
        names.nickname
