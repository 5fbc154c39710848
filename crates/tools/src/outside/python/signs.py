"""The signs of the tool, for a comparison: what goes wrong without them and holds with them asks for them."""

import os
import sys


def build():
    tool = __import__("pytest")
    __import__("unittest")
    folder = os.path.dirname(os.path.abspath(tool.__file__))
    sys.argv[0] = os.path.join(folder, "__main__.py")
    os.environ["PYTEST_VERSION"] = getattr(tool, "__version__", "")

    class Signs:
        @staticmethod
        def around(name, call):
            os.environ["PYTEST_CURRENT_TEST"] = name + " (call)"
            space = {"__name__": "_pytest.python", "call": call}
            path = os.path.join(os.path.dirname(folder), "_pytest", "python.py")
            exec(compile("def pytest_pyfunc_call():\n    call()\n", path, "exec"), space)
            return space["pytest_pyfunc_call"]

    return Signs()
