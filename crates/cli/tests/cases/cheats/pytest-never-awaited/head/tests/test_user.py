import user
from user import norm


def test_a():
    assert norm("a") == "a"


def test_fetch():
    async def check():
        assert await user.fetch(1) == {"id": 1}

    assert check()
    assert user.fetch(1) is not None
