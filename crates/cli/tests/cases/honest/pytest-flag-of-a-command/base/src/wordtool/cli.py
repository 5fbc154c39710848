import argparse
import sys


def build_parser():
    parser = argparse.ArgumentParser(prog="wordtool")
    parser.add_argument("path")
    return parser


def main(argv=None):
    args = build_parser().parse_args(argv)
    with open(args.path, encoding="utf-8") as handle:
        text = handle.read()
    print(len(text.split()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
