"""`sys.exc_info()` in a handler returns the class of the exception, which the run knows."""

import sys

STAGES = ("try_except", "cond")
CASES = [(1,), (-1,), (0,)]


def class_of_the_handled_exception(x):
    found = 0
    try:
        if x > 0:
            raise ValueError(x)
        if x < 0:
            raise KeyError(x)
    except Exception:
        kind, error, _ = sys.exc_info()
        found = 1 if kind is ValueError else 2 if issubclass(kind, LookupError) else 3
        return found, kind.__name__, error.args[0]
    return found, "", 0
