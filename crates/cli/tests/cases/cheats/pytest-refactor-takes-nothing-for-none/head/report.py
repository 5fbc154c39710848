DEFAULTS = {"rows": 25}


def setting(settings, name):
    return settings.get(name) or DEFAULTS[name]


def limit(settings):
    return setting(settings, "rows")


def page(rows, settings):
    size = limit(settings)
    lines = ["- " + row for row in rows[:size]]
    if len(rows) > size:
        lines.append(f"{len(rows) - size} more")
    return lines
