"""A decorator's function has parameters and defaults of its own, whatever `wraps` says of it."""

import functools

STAGES = ("cond",)
CASES = [(3,), (-3,)]


def stepping(function):
    @functools.wraps(function)
    def stepped(x, by=5):
        return function(x) + by

    return stepped


@stepping
def decorator_with_its_own_default(x, by=1):
    return x * 10 if x > 0 else by
