"""What an ordinary pytest run loads before any code of the project, loaded once for all variations. Nothing is loaded
from the tree or from a checkout of the project.
"""

import importlib
import importlib.metadata
import importlib.util
import os
import sys

from proctor_variant import below

# What our own plugin needs, and what pytest loads late. Some are not in every Python.
MORE = (
    "builtins", "errno", "ipaddress", "random", "re", "site", "sysconfig", "traceback", "inspect", "linecache",
    "email.parser", "faulthandler", "pdb", "readline", "tomllib", "tomli", "_pytest._argcomplete",
)


def packages():
    """The folders of the installed packages that are on the path."""
    found = {os.path.realpath(entry) for entry in sys.path if entry}
    return [entry for entry in found if os.path.basename(entry) in ("site-packages", "dist-packages")]


def away_from(folders):
    """Takes the project's own folders off the path; an environment inside a checkout stays."""
    kept = packages() + [os.path.realpath(prefix) for prefix in (sys.prefix, sys.base_prefix)]
    folders = [os.path.realpath(folder) for folder in folders]

    def foreign(entry):
        entry = os.path.realpath(entry)
        return not any(below(entry, folder) for folder in folders) or any(
            below(entry, folder) and folder not in folders for folder in kept
        )

    sys.path[:] = [entry for entry in sys.path if entry and foreign(entry)]


class Known(importlib.metadata.PathDistribution):
    """An installed package whose description is read once for all children."""

    _kept = None

    @property
    def entry_points(self):
        if self._kept is None:
            self._kept = super().entry_points
        return self._kept


def warm():
    """Loads what an ordinary run loads before any code of the project."""
    import pytest  # noqa: F401
    from _pytest.config import default_plugins

    for name in default_plugins:
        importlib.import_module("_pytest." + name)
    for name in MORE:
        try:
            importlib.import_module(name)
        except ImportError:
            pass
    sys.modules["sysconfig"].get_paths()
    installed = packages()
    found = []
    for dist in importlib.metadata.distributions():
        if type(dist) is importlib.metadata.PathDistribution:
            dist.__class__ = Known
        found.append(dist)
        for entry in dist.entry_points:
            if entry.group != "pytest11":
                continue
            name = entry.value.partition(":")[0].strip()
            try:
                spec = importlib.util.find_spec(name.partition(".")[0])
                origin = os.path.realpath(spec.origin or "")
                # An install for development leads to the project's own code.
                if any(below(origin, folder) for folder in installed):
                    importlib.import_module(name)
            except Exception:
                # It fails in the children too, where that has its consequences.
                pass
    # Once for all children: it asks for the place of every module, and compiles a long pattern.
    sys.modules["inspect"].getmodule(compile("", "<nothing>", "exec"))
    escape = getattr(sys.modules.get("_pytest.junitxml"), "bin_xml_escape", str)
    escape("")
    return found


def shadowed(roots):
    """A module that is loaded here, and that an ordinary run would load from the tree."""
    loaded = {name.partition(".")[0] for name in sys.modules}
    for root in roots:
        try:
            entries = os.listdir(root)
        except OSError:
            continue
        for entry in entries:
            stem, dot, rest = entry.partition(".")
            if stem not in loaded or stem == "__main__":
                continue
            package = not dot and os.path.isfile(os.path.join(root, entry, "__init__.py"))
            if package or rest == "py" or rest.endswith("so"):
                return os.path.join(root, entry)
    return None
