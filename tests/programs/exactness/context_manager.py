"""`with` around jumps: the exit runs on every way out and may swallow an exception."""

PYTHON_ONLY = "context managers"
CASES = [(0,), (1,), (2,), (3,)]


class Recorder:
    def __init__(self, log):
        self.log = log

    def __enter__(self):
        self.log.append("enter")

    def __exit__(self, kind, error, traceback):
        self.log.append(kind and kind.__name__)
        return kind is KeyError


def context_manager(x, log=None):
    log = []
    for i in range(4):
        with Recorder(log):
            if i == x:
                raise KeyError(i)
            if i == 2:
                return log, i
    return log
