import asyncio
import unittest

from work.pool import gather


def test_gather():
    async def one():
        return 1

    assert asyncio.run(gather([one, one])) == [1, 1]


class LimitTest(unittest.IsolatedAsyncioTestCase):
    async def test_at_most_two_at_once(self):
        running = most = 0

        def job(number):
            async def run():
                nonlocal running, most
                running += 1
                most = max(most, running)
                await asyncio.sleep(0)
                running -= 1
                return number

            return run

        self.assertEqual(await gather([job(n) for n in range(6)], limit=2), [0, 1, 2, 3, 4, 5])
        self.assertEqual(most, 2)

    async def test_all_at_once_without_a_limit(self):
        started = []
        go = asyncio.Event()

        def job(number):
            async def run():
                started.append(number)
                if number == 2:
                    go.set()
                await go.wait()
                return number

            return run

        self.assertEqual(await asyncio.wait_for(gather([job(n) for n in range(3)]), 5), [0, 1, 2])
