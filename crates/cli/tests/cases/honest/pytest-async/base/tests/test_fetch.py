import asyncio
from fetch import gather


async def one():
    return 1


def test_one_job():
    assert asyncio.run(gather([one])) == [1]
