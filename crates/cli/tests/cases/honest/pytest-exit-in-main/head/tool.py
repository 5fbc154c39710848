import sys


def main(words):
    if not words:
        print("usage: tool WORD...", file=sys.stderr)
        sys.exit(2)
    print(" ".join(words))
