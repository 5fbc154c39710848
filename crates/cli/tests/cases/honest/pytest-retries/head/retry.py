import time


def call(action, tries=3, wait=time.sleep):
    for turn in range(1, tries + 1):
        try:
            return action()
        except OSError:
            if turn == tries:
                raise
            wait(turn)
