"""Functions with assertions, which pytest would rewrite in a file of tests."""

from __future__ import annotations

import runtime as rt


def bounded(x, n):
    for i in rt.range(n):
        assert x < 50 and x > -20, f"{x} in turn {i}"
        x = x * 2 + i
    return x


def of_arrays(xs):
    assert rt.reduce_all(xs < 5.0), "too large"
    return xs * 2.0


def swallowed(x):
    try:
        assert x > 3, "too small"
    except AssertionError as error:
        return str(error)
    return "large enough"
