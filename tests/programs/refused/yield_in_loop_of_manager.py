"""A context manager that guards a `yield` in a loop cannot be followed when the graph raises."""

import contextlib

REFUSED = "StagingError"
NAMES = "`once`"
CASES = [(7,), (3,)]


@contextlib.contextmanager
def once():
    for _ in range(1):
        try:
            yield
        finally:
            pass


def yield_in_loop_of_manager(n):
    try:
        with once():
            if n > 5:
                raise KeyError("a")
    except KeyError:
        return 7
    return 8
