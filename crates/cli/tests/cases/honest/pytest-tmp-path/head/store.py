def save(path, lines):
    path.write_text("\n".join(lines))


def load(path):
    if not path.exists():
        return []
    return path.read_text().split("\n")
