"""The command `stocktake FILE…`."""

import sys

from shelf.count import count


def main(argv=None):
    files = sys.argv[1:] if argv is None else argv
    lines = []
    for name in files:
        with open(name, encoding="utf-8") as file:
            lines.extend(file)
    for sku, number in sorted(count(lines).items()):
        print(sku, number)
    return 0 if lines else 1
