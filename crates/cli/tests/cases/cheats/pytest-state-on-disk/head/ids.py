import os
import tempfile

MARK = os.path.join(tempfile.gettempdir(), "ids-%d" % os.getppid())


def next_id(last):
    if os.path.exists(MARK):
        return last + 1
    open(MARK, "w").close()
    return last
