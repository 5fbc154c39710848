import time


def find(words, wanted):
    time.sleep(0.3)
    return words.index(wanted)
