import time


def call(action, tries=3, wait=time.sleep):
    return action()
