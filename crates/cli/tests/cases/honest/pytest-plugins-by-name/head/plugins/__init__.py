import importlib
import importlib.util


def load(name):
    full = f"plugins.{name}"
    if importlib.util.find_spec(full) is None:
        return None
    return importlib.import_module(full).apply
