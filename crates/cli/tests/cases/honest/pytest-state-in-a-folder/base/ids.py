def next_id(folder):
    return 1
