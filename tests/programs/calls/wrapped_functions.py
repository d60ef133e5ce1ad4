"""A wrapper made with `functools.wraps` and the function that it wraps are both converted."""

import functools

STAGES = ("cond",)
CASES = [(3,), (30,), (-3,)]


def at_most(limit):
    def decorate(f):
        @functools.wraps(f)
        def wrapper(*args, **kwargs):
            result = f(*args, **kwargs)
            return limit if result > limit else result

        return wrapper

    return decorate


@at_most(100)
def scaled(x, *, by=1):
    if x > 0:
        return x * by
    return 0


def wrapped_functions(x):
    return scaled(x, by=10) + scaled(x)
