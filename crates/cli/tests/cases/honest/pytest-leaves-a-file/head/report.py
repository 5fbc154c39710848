def save(path, rows):
    with open(path, 'x') as file:
        for left, right in rows:
            file.write(f'{left};{right}\n')
    return len(rows)
