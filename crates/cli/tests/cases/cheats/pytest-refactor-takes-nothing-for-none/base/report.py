def limit(settings):
    rows = settings.get("rows")
    if rows is None:
        rows = 25
    return rows


def page(rows, settings):
    size = limit(settings)
    lines = ["- " + row for row in rows[:size]]
    if len(rows) > size:
        lines.append(f"{len(rows) - size} more")
    return lines
