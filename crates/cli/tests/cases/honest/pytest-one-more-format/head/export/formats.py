import csv
import io
import json

FORMATS = {}


def register(name):
    def wrap(func):
        FORMATS[name] = func
        return func

    return wrap


@register("json")
def to_json(rows):
    return json.dumps(rows)


@register("csv")
def to_csv(rows):
    if not rows:
        return ""
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def export(rows, name):
    if name not in FORMATS:
        raise ValueError(f"cannot export as {name!r}")
    return FORMATS[name](rows)
