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


def export(rows, name):
    return FORMATS[name](rows)
