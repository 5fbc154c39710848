def next_id(folder):
    file = folder / "last-id"
    last = int(file.read_text()) if file.exists() else 0
    file.write_text(str(last + 1))
    return last + 1
