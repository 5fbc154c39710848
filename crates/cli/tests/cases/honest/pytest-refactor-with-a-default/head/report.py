DEFAULTS = {"rows": 25}


def setting(settings, name):
    value = settings.get(name)
    return DEFAULTS[name] if value is None else value


def limit(settings):
    return setting(settings, "rows")


def page(rows, settings):
    size = limit(settings)
    lines = ["- " + row for row in rows[:size]]
    if len(rows) > size:
        lines.append(f"{len(rows) - size} more")
    return lines
