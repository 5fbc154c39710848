import asyncio


async def gather(jobs):
    return [await job() for job in jobs]
