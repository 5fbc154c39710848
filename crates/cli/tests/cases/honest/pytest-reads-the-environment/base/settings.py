import os


def port():
    return 8000
