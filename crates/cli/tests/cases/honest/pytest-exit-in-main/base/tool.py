import sys


def main(words):
    print(" ".join(words))
