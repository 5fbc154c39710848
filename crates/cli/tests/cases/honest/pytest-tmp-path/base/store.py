def save(path, lines):
    path.write_text("\n".join(lines))


def load(path):
    return path.read_text().split("\n")
