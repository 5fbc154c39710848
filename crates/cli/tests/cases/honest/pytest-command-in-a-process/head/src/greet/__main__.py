import sys


def main(argv):
    if len(argv) > 1:
        print("usage: greet [NAME]", file=sys.stderr)
        return 2
    print(f"hello {argv[0]}" if argv else "hello")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
