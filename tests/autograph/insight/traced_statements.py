"""More functions to explain: definitions of more than a line, `try`, `with`, crowded lines."""

import functools


def passed_on(function):
    @functools.wraps(function)
    def passing(x):
        return function(x)

    return passing


@passed_on
def decorated(
    x,
    offset=1,
):
    return x if x > 0 else offset


def trying(x):
    try:
        if x > 2:
            raise KeyError(x)
        y = x + 1
    except KeyError as error:
        return error.args[0]
    finally:
        x = 0
    return y


class Managing:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        return kind is ZeroDivisionError


def managing(x):
    y = 0
    with Managing():
        y = 10 // x
    return y


def crowded(x):
    y = x * 2; z = y + 1; return z if z > 3 else y  # fmt: skip  # noqa: E702
