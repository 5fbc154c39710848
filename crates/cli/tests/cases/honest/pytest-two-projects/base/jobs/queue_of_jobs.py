def first(jobs):
    return min(jobs)
