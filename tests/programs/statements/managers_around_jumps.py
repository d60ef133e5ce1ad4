"""Jumps and exceptions leave two managers in a loop; the inner one sees them first."""

import contextlib

STAGES = ("while_loop", "cond", "try_except")
CASES = [(8,), (3,), (5,), (1,), (0,)]


class Counted:
    def __init__(self, ends):
        self.ends = ends

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        self.ends.append(0 if kind is None else 1)
        return isinstance(error, ValueError)


def managers_around_jumps(n):
    ends = []
    for i in range(n):
        with Counted(ends), contextlib.suppress(KeyError):
            if i == 2:
                raise ValueError
            if i == 3:
                continue
            if i == 4:
                raise KeyError
            if i == 6:
                break
    return ends
