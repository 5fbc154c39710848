"""Sees to it that the code of the tree is what is tested, and tells which code was loaded from elsewhere.

An environment may hold an editable install of the user's own checkout, or an installed release of the project. Where
such an install leads into the checkout it is turned towards the tree; what was loaded from outside all the same is
named at the end. Code that takes itself out of `sys.modules` is seen too: an audit hook can't be removed.
"""

import ipaddress
import os
import site
import sys
import sysconfig


def _folders(name):
    given = os.environ.pop(name, "")
    return [os.path.realpath(path) for path in given.split(os.pathsep) if path]


TREE = next(iter(_folders("PROCTOR_TREE")), None)
SCRATCH = next(iter(_folders("PROCTOR_SCRATCH")), None)
ROOTS = _folders("PROCTOR_ROOTS")
ELSEWHERE = _folders("PROCTOR_ELSEWHERE")
PROJECTS = [name for name in os.environ.pop("PROCTOR_PROJECTS", "").split("\n") if name]
FOREIGN = ("site-packages", "dist-packages", ".venv", "venv", ".tox", ".nox", "node_modules")
# Files of these names are run for themselves; that another one was imported says nothing.
NOT_IMPORTED = ("__main__", "conftest", "setup")
SHOWN = 20

_real_folders = {}
_relatives = {}
_executed = set()
_addresses = []


def below(path, folder):
    return bool(folder) and (path == folder or path.startswith(folder.rstrip(os.sep) + os.sep))


def relative(path):
    """A path relative to the tree, or None where it is not the project's own file."""
    if not path or TREE is None:
        return None
    path = str(path)
    if path not in _relatives:
        _relatives[path] = _to_relative(_real(path) if os.path.isabs(path) else os.path.realpath(path))
    return _relatives[path]


def _to_relative(path):
    if not below(path, TREE) or path == TREE:
        return None
    rest = path[len(TREE) + 1:].replace(os.sep, "/")
    return None if any(part in FOREIGN for part in rest.split("/")) else rest


def _environment():
    """The folders of the installed packages, and those of the standard library."""
    paths = sysconfig.get_paths()
    packages = [paths.get("purelib"), paths.get("platlib")]
    try:
        packages += site.getsitepackages() + [site.getusersitepackages()]
    except AttributeError:
        pass
    # An environment inside the checkout is a whole folder of its own; one around it is not.
    for prefix in (sys.prefix, sys.exec_prefix, sys.base_prefix):
        prefix = os.path.realpath(prefix)
        if any(below(prefix, root) and prefix != root for root in ELSEWHERE):
            packages.append(prefix)
    library = [paths.get("stdlib"), paths.get("platstdlib")]
    return ([os.path.realpath(p) for p in packages if p], [os.path.realpath(p) for p in library if p])


PACKAGES, LIBRARY = _environment()


def _installed(path):
    return any(below(path, folder) for folder in PACKAGES)


def _real(path):
    """The real path of a file. Its folder is looked up once: a run loads thousands of files from a few folders."""
    folder, name = os.path.split(path)
    if folder not in _real_folders:
        _real_folders[folder] = os.path.realpath(folder)
    path = os.path.join(_real_folders[folder], name)
    return os.path.realpath(path) if os.path.islink(path) else path


def _audit(event, args):
    if event == "exec":
        name = args[0].co_filename
        if name[:1] != "<":
            _executed.add(name)
    elif event == "import":
        # Compiled extensions; for all others the file is not known yet.
        if isinstance(args[1], str):
            _executed.add(args[1])
    elif event == "socket.connect":
        if len(_addresses) < 100:
            _addresses.append(args[1])


def _to_tree(path):
    """The same place in the tree, for a place in one of the folders that must not be tested."""
    if not isinstance(path, str) or not path or TREE is None:
        return None
    real = os.path.realpath(path)
    if below(real, TREE) or _installed(real):
        return None
    for root in ELSEWHERE:
        if below(real, root):
            place = os.path.normpath(os.path.join(TREE, os.path.relpath(real, root)))
            return place if os.path.exists(place) else None
    return None


def _turn_table(table, turned):
    """A finder's table of names and places (a text, or a list of them)."""
    for name, value in list(table.items()):
        place = _to_tree(value)
        if place:
            table[name] = place
            # `shop` at `lib/shop` or `lib/shop/__init__.py` is found in `lib` by everyone else.
            package = os.path.dirname(place) if os.path.basename(place) == "__init__.py" else place
            if isinstance(name, str) and os.path.basename(package) == name:
                turned.append(os.path.dirname(package))
        elif isinstance(value, list):
            value[:] = [_to_tree(part) or part for part in value]


def turn():
    """Makes editable installs of the checkout lead into the tree."""
    turned = []
    for index, entry in enumerate(sys.path):
        place = _to_tree(entry)
        if place:
            sys.path[index] = place
            turned.append(place)
    for finder in list(sys.meta_path):
        kind = finder if isinstance(finder, type) else type(finder)
        module = sys.modules.get(kind.__module__)
        # Finders of the standard library and of pytest know nothing of installs.
        if not _installed(os.path.realpath(getattr(module, "__file__", None) or "")):
            continue
        for holder in (finder, kind, module):
            for value in list(getattr(holder, "__dict__", {}).values()):
                if isinstance(value, dict):
                    _turn_table(value, turned)
    # Programs that a test starts have the same environment.
    known = [os.path.realpath(p) for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p]
    more = [place for place in dict.fromkeys(turned) if place not in known]
    if more:
        os.environ["PYTHONPATH"] = os.pathsep.join([os.environ.get("PYTHONPATH", ""), *more])


def _loaded():
    """Files of the modules that are loaded now, with a module's name."""
    found = {}
    for name, module in list(sys.modules.items()):
        try:
            # Past the module's own ways: a lazy one would be loaded by the question.
            path = object.__getattribute__(module, "__dict__").get("__file__")
        except Exception:
            continue
        if isinstance(path, str) and isinstance(name, str) and os.path.isabs(path):
            found.setdefault(_real(path), name)
    return found


def _name_by_path(path, entries):
    entry = max((e for e in entries if below(path, e)), key=len, default=None)
    if entry is None:
        return None
    stem = os.path.relpath(path, entry).split(".")[0]
    parts = stem.split(os.sep)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _in_tree(name, tops):
    """Whether the tree holds a module of this name, in one of the folders that it is imported from."""
    parts = name.split(".")
    if parts[0] in NOT_IMPORTED:
        return False
    for root in ROOTS:
        if parts[0] not in tops[root] and parts[0] + ".py" not in tops[root]:
            continue
        at = root
        for part in parts:
            at = os.path.join(at, part)
            if os.path.isfile(os.path.join(at, "__init__.py")) or os.path.isfile(at + ".py"):
                return True
            # A namespace package: others may own what is beside it.
            if not os.path.isdir(at):
                break
    return False


def _of_project():
    """The files of an installed release of the project itself."""
    from importlib import metadata

    found = set()
    for name in PROJECTS:
        try:
            dist = metadata.distribution(name)
            files = dist.files or []
        except Exception:
            continue
        for file in files:
            # What leads to an editable install is not the project's code.
            if file.suffix in (".py", ".so", ".pyd") and "editable" not in file.parts[0]:
                found.add(_real(os.path.normpath(str(dist.locate_file(file)))))
    return found


def _listed(folder):
    try:
        return set(os.listdir(folder))
    except OSError:
        return set()


_at_start = _loaded() if TREE else {}


def wrong():
    """Code that was loaded and is not the tree's: `module`, `file`, `why`."""
    files = dict(_at_start)
    files.update(_loaded())
    entries = [os.path.realpath(entry) for entry in sys.path if entry] + PACKAGES
    for path in list(_executed):
        if os.path.isabs(path):
            files.setdefault(_real(path), None)
    tops = {root: _listed(root) for root in ROOTS}
    own = _of_project()
    found = []
    for path, name in sorted(files.items()):
        if below(path, TREE) or below(path, SCRATCH):
            continue
        name = name or _name_by_path(path, entries) or ""
        packaged = _installed(path)
        standard = not packaged and any(below(path, library) for library in LIBRARY)
        if not packaged and not standard and any(below(path, root) for root in ELSEWHERE):
            why = "elsewhere"
        elif name and not standard and _in_tree(name, tops):
            why = "same-name"
        elif path in own:
            why = "release"
        else:
            continue
        found.append({"module": name, "file": path, "why": why})
    return found[:SHOWN]


def new_test():
    _addresses.clear()


def _is_local(address):
    if not isinstance(address, tuple) or not address:
        return True
    host = address[0].decode("ascii", "replace") if isinstance(address[0], bytes) else str(address[0])
    if host in ("", "localhost"):
        return True
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return found.is_loopback or found.is_unspecified


def went_out():
    """Whether the test that is running has tried to reach another machine."""
    return any(not _is_local(address) for address in list(_addresses))


if TREE:
    turn()
    sys.addaudithook(_audit)
