"""Builds a project as its users get it, and says what of its tree is not in that.

Given a file with the work: `root` (the project), `own` (an empty folder), `backend`, `backend_path`, `tests` (files of tests
below the root). Says one line: {"root", "without"} or {"why"}. What code of the package may not import is put into
`guard.json` for `sitecustomize.py`.
"""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile

LEFT = (".git", ".hg", ".tox", ".venv", "venv", "node_modules", "__pycache__", "build", "dist")
COMPILED = (".so", ".pyd", ".pyc", ".dll", ".dylib")
FOR_WORK = {"dev", "test", "tests", "testing", "lint", "docs", "doc", "develop", "development", "ci", "typing", "mypy"}
# What every environment has.
TOOLS = {"pip", "setuptools", "wheel", "distribute"}
HOOK = """
import importlib, sys
name, path, kind, out = sys.argv[1:5]
sys.path[:0] = [p for p in path.split("\\n") if p]
module, _, inner = name.partition(":")
backend = importlib.import_module(module)
for part in inner.split(".") if inner else ():
    backend = getattr(backend, part)
print(getattr(backend, "build_" + kind)(out))
"""
SETUP = """
import os, sys
sys.argv = ["setup.py"] + sys.argv[1:]
sys.path.insert(0, os.getcwd())
import setuptools
if os.path.exists("setup.py"):
    with open("setup.py", encoding="utf-8") as file:
        text = file.read()
    exec(compile(text, "setup.py", "exec"), {"__name__": "__main__", "__file__": os.path.abspath("setup.py")})
else:
    setuptools.setup()
"""
SCM = ("setuptools_scm", "setuptools-scm", "hatch-vcs", "pbr", "setuptools-git")


class NotBuilt(Exception):
    pass


def started(argv, cwd):
    env = dict(os.environ, SETUPTOOLS_SCM_PRETEND_VERSION="0.0.1", PBR_VERSION="0.0.1", PIP_NO_INDEX="1")
    done = subprocess.run(argv, cwd=cwd, env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        said = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        raise NotBuilt(said[-1].strip() if said else "the build ended with %d" % done.returncode)
    return done.stdout


def only_entry(folder):
    inside = os.listdir(folder)
    if len(inside) != 1:
        raise NotBuilt("the build left %d files" % len(inside))
    return os.path.join(folder, inside[0])


def unpacked(source, work, made):
    """The source archive of a folder, unpacked: what everything else is built from where it is released."""
    out, at = os.path.join(work, "sdist"), os.path.join(work, "unpacked")
    os.makedirs(out)
    made(source, out)
    with tarfile.open(only_entry(out)) as archive:
        archive.extractall(at)
    return only_entry(at)


def hooked(work):
    python = [sys.executable, "-c", HOOK, work["backend"]]

    def made(kind):
        def make(source, out):
            path = "\n".join(os.path.join(source, part) for part in work["backend_path"])
            started(python + [path, kind, out], source)

        return make

    def built(source, own):
        out, at = os.path.join(own, "wheel"), os.path.join(own, "wheel-files")
        for folder in (out, at):
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
        made("wheel")(source, out)
        with zipfile.ZipFile(only_entry(out)) as archive:
            archive.extractall(at)
        about = []
        for name in sorted(os.listdir(at)):
            if name.endswith(".dist-info"):
                about.append(os.path.join(at, name))
            elif name.endswith(".data"):
                for part in ("purelib", "platlib"):
                    if os.path.isdir(os.path.join(at, name, part)):
                        shutil.copytree(os.path.join(at, name, part), at, dirs_exist_ok=True)
                shutil.rmtree(os.path.join(at, name))
        folder = os.path.join(own, "about.dist-info")
        if about:
            shutil.rmtree(folder, ignore_errors=True)
            shutil.move(about[0], folder)
        return at, folder

    return made("sdist"), built


def by_setuptools():
    python = [sys.executable, "-c", SETUP]

    def sdist(source, out):
        started(python + ["-q", "sdist", "--formats=gztar", "--dist-dir", out], source)

    def built(source, own):
        at, about = os.path.join(own, "built"), os.path.join(own, "about")
        for folder in (at, about):
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
        started(python + ["-q", "egg_info", "--egg-base", about, "build_py", "--build-lib", at], source)
        return at, only_entry(about)

    return sdist, built


def build(work):
    root, own = work["root"], work["own"]
    source = os.path.join(own, "source")
    shutil.copytree(root, source, symlinks=True, ignore=shutil.ignore_patterns(*LEFT, "*.egg-info"))
    manifest = os.path.join(source, "pyproject.toml")
    text = open(manifest, encoding="utf-8", errors="replace").read() if os.path.exists(manifest) else ""
    if any(name in text for name in SCM):
        for words in (["init", "-q"], ["add", "-A"]):
            started(["git"] + words, source)
    sdist, built = by_setuptools() if work["backend"] == "setuptools" else hooked(work)
    try:
        return built(unpacked(source, own, sdist), own)
    except (NotBuilt, OSError, tarfile.TarError):
        return built(source, own)


def files_below(folder, left=LEFT):
    for at, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in left and not name.endswith(".egg-info")]
        for name in files:
            yield os.path.relpath(os.path.join(at, name), folder).replace(os.sep, "/")


def prefix(root, given):
    """The folder of the tree that the package is made from."""
    sources = [path for path in given if path.endswith(".py")] or list(given)
    folders = ["", "src", "lib", "python"]
    folders += [name for name in sorted(os.listdir(root)) if os.path.isdir(os.path.join(root, name))]
    count = lambda folder: sum(os.path.isfile(os.path.join(root, folder, path)) for path in sources)
    best = max(folders, key=count)
    if not count(best):
        raise NotBuilt("nothing that the package holds stands in the tree")
    return best


def bare(name):
    return name.strip().lower().replace("-", "_").replace(".", "_")


def parted(requirement):
    """The name that a requirement asks for, the extras of it, and the extra that it belongs to."""
    text, _, marker = requirement.partition(";")
    end = next((n for n, c in enumerate(text) if not (c.isalnum() or c in "-_.")), len(text))
    asked = text[text.find("[") + 1 : text.find("]")].split(",") if "[" in text[end : end + 2] else []
    extra = ""
    if "extra" in marker:
        extra = marker.split("extra", 1)[1].strip(" =!'\")(").split("'")[0].split('"')[0]
    return bare(text[:end]), {bare(one) for one in asked}, bare(extra)


def modules_of(found):
    top = found.read_text("top_level.txt")
    if top:
        return set(top.split())
    names = {str(path).replace(os.sep, "/").split("/")[0] for path in found.files or ()}
    names = {name[:-3] if name.endswith(".py") else name for name in names}
    return {name.split(".")[0] if name.endswith(COMPILED) else name for name in names if name.isidentifier() or name.endswith(COMPILED)}


def undeclared(about):
    """The modules of what is installed and is not for users."""
    from importlib import metadata

    installed = {}
    for found in metadata.distributions():
        if found.metadata and found.metadata["Name"]:
            installed.setdefault(bare(found.metadata["Name"]), found)
    own = metadata.PathDistribution(__import__("pathlib").Path(about))
    todo = []
    for requirement in own.requires or ():
        name, extras, extra = parted(requirement)
        if not set(extra.split("_")) & FOR_WORK:
            todo.append((name, extras))
    seen = set()
    while todo:
        name, extras = todo.pop()
        if (name, frozenset(extras)) in seen:
            continue
        seen.add((name, frozenset(extras)))
        for requirement in (installed[name].requires or () if name in installed else ()):
            inner, wanted, extra = parted(requirement)
            if not extra or extra in extras:
                todo.append((inner, wanted))
    declared = {name for name, _ in seen} | TOOLS
    declared.add(bare(own.metadata["Name"] or ""))
    free = set().union(set(), *(modules_of(found) for name, found in installed.items() if name in declared))
    rest = set().union(set(), *(modules_of(found) for name, found in installed.items() if name not in declared))
    return rest - free


def look(work):
    root, tests = work["root"], set(work["tests"])
    at, about = build(work)
    given = set(files_below(at, ("__pycache__",)))
    if not given:
        raise NotBuilt("the package is empty")
    folder = prefix(root, given)
    base = os.path.join(root, folder)
    tops = {path.split("/")[0] for path in given}
    above = "" if not folder else folder + "/"
    without, beside = [], set()
    for path in files_below(base):
        top, own = path.split("/")[0], above + path
        if path in given or own in tests or path.endswith(COMPILED + ("conftest.py",)):
            continue
        if top in tops:
            without.append(own)
        elif path.endswith(".py"):
            beside.add(top[:-3] if "/" not in path else top)
    hidden = undeclared(about) | beside
    hidden -= {top[:-3] if top.endswith(".py") else top for top in tops}
    guard = {"below": [above + top for top in sorted(tops)], "tests": sorted(tests), "hidden": sorted(hidden)}
    guard["hidden"] = [name for name in guard["hidden"] if name not in sys.builtin_module_names and name not in getattr(sys, "stdlib_module_names", ())]
    with open(os.path.join(work["guard"], "guard.json"), "w", encoding="utf-8") as file:
        json.dump(guard, file)
    return {"without": without}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        work = json.load(file)
    try:
        told = look(work)
    except Exception as why:
        told = {"why": "%s" % why if isinstance(why, NotBuilt) else "%s: %s" % (type(why).__name__, why)}
    print(json.dumps(told))


main()
