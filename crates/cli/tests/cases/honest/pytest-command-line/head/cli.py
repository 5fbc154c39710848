import argparse
import sys

from calc import double


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("number", type=int)
    parser.add_argument("--times", type=int, default=1)
    args = parser.parse_args(argv)
    number = args.number
    for _ in range(args.times):
        number = double(number)
    print(number)
    return 0


if __name__ == "__main__":
    sys.exit(main())
