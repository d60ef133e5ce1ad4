"""A warning with a `stacklevel` points at the line of the caller's call."""

import warnings

PYTHON_ONLY = "warnings"
CASES = [(2,), (0,)]


def old(x):
    if x:
        warnings.warn(f"old {x}", DeprecationWarning, stacklevel=2)
    return x


def warnings_point_up(x):
    first = warnings_point_up.__code__.co_firstlineno
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for i in range(x):
            if i < 5:
                old(i + 1)
        call = lambda: old(7)
        call()
    return [(str(w.message), w.lineno - first, w.filename[-20:]) for w in caught]
