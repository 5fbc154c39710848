import asyncio

from work.pool import gather


def test_gather():
    async def one():
        return 1

    assert asyncio.run(gather([one, one])) == [1, 1]
