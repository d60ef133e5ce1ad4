"""A handler formats the traceback of an error that a run raises."""

import traceback

REFUSED = "StagingError"
CASES = [(1,), (-1,)]
NAMES = "traceback.format_exc()"


def traceback_text(x):
    try:
        if x > 0:
            raise ValueError(x)
        if x < 0:
            raise KeyError(x)
    except LookupError:
        return traceback.format_exc().splitlines()[0]
    except ValueError:
        return "not one of these"
    return ""
