import argparse
import sys


def build_parser():
    parser = argparse.ArgumentParser(prog="wordtool")
    parser.add_argument("path")
    parser.add_argument("-l", "--lines", action="store_true", help="count lines instead of words")
    return parser


def main(argv=None):
    args = build_parser().parse_args(argv)
    try:
        with open(args.path, encoding="utf-8") as handle:
            text = handle.read()
    except FileNotFoundError:
        print(f"wordtool: {args.path}: no such file", file=sys.stderr)
        return 1
    print(len(text.splitlines()) if args.lines else len(text.split()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
