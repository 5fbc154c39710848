import os
import pathlib
import subprocess
import sys

from greet.__main__ import main

SRC = pathlib.Path(__file__).parent.parent / "src"


def run(*args):
    env = dict(os.environ, PYTHONPATH=str(SRC))
    return subprocess.run([sys.executable, "-m", "greet", *args], env=env, capture_output=True, text=True)


def test_main(capsys):
    assert main([]) == 0
    assert capsys.readouterr().out == "hello\n"


def test_name():
    done = run("Ada")
    assert (done.returncode, done.stdout) == (0, "hello Ada\n")


def test_usage():
    done = run("a", "b")
    assert done.returncode == 2
    assert "usage" in done.stderr
