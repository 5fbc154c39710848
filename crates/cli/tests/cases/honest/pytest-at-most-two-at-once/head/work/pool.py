import asyncio


async def gather(jobs, limit=None):
    """Run all jobs, at most `limit` at once, results in order."""
    if limit is None:
        return list(await asyncio.gather(*(job() for job in jobs)))
    gate = asyncio.Semaphore(limit)

    async def guarded(job):
        async with gate:
            return await job()

    return list(await asyncio.gather(*(guarded(job) for job in jobs)))
