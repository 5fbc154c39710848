import asyncio
from fetch import gather


async def one():
    return 1


def test_one_job():
    assert asyncio.run(gather([one])) == [1]


async def two():
    await asyncio.sleep(0)
    return 2


def test_two_jobs_in_order():
    assert asyncio.run(gather([two, one])) == [2, 1]


def test_no_jobs():
    assert asyncio.run(gather([])) == []
