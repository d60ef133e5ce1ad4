"""`sys.exc_info()` is the exception being handled, in branches, loops and called functions."""

import sys

PYTHON_ONLY = "exceptions"
CASES = [(0,), (2,)]


def handled():
    return getattr(sys.exc_info()[0], "__name__", None)


def error_in_flight(x):
    seen = [handled()]
    try:
        1 // x
        raise TypeError(x)
    except (ZeroDivisionError, TypeError) as error:
        if x:
            seen.append((handled(), sys.exc_info()[1] is error))
        for i in range(2):
            try:
                raise KeyError(i)
            except KeyError:
                seen.append(handled())
            seen.append(handled())
    seen.append(handled())
    return seen
