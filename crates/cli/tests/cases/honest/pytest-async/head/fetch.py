import asyncio


async def gather(jobs):
    return list(await asyncio.gather(*(job() for job in jobs)))
