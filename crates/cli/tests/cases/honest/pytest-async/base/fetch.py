import asyncio


async def gather(jobs):
    return [await jobs[0]()]
