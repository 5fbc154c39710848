import time


def timed(action, clock=time.perf_counter):
    began = clock()
    result = action()
    return result, clock() - began
