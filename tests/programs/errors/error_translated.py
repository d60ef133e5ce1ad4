"""A library's error becomes the caller's own, with the text of the first one in it."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


class Failure(Exception):
    pass


def root(x):
    if x < 0:
        raise ValueError(f"no root of {x + 0}")
    return x * x


def error_translated(x):
    try:
        return root(x)
    except ValueError as error:
        raise Failure("root") from error
