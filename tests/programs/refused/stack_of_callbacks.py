"""An ExitStack's calls at its end are known while tracing only, so it cannot see an exception."""

import contextlib

REFUSED = "StagingError"
NAMES = "ExitStack"
CASES = [(7,), (3,)]


def stack_of_callbacks(n):
    log = []
    with contextlib.ExitStack() as stack:
        stack.callback(lambda: log.append(1))
        if n > 5:
            raise KeyError
    return log
