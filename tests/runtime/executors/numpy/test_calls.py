"""Recursive functions are printed as Python functions."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tests.runtime.executors.graphs import both, source_of


def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def depth(n):
    if n == 0:
        return n
    return depth(n - 1) + 1


def is_even(n):
    if n == 0:
        return rt.constant(True)
    return is_odd(n - 1)


def is_odd(n):
    if n == 0:
        return rt.constant(False)
    return is_even(n - 1)


def total(x):
    if rt.size(x) == 0:
        return rt.constant(0.0)
    return x[0] * 2.0 + total(x[1:])


def pair(n):
    if n == 0:
        return n, rt.constant(1.5)
    k, f = pair(n - 1)
    return k + 2, f * 2.0


def picked(x, i):
    if x[i] < 0:
        return i
    return picked(x, i + x[i])


def inner(n, m):
    if n == 0:
        return m
    return inner(n - 1, m) + 1


def outer(n):
    if n == 0:
        return rt.constant(0)
    return inner(n, outer(n - 1))


def in_a_loop(n):
    found = rt.constant(0)
    for i in rt.range(n):
        found += fib(i)
    return found


def wrapped(n):
    if n == 0:
        return rt.constant(3)
    return wrapped(n - 1) * wrapped(n - 1)


def small(n):
    if n == 0:
        return rt.constant(1.1)
    return small(n - 1) * 1.3 + 0.1


@pytest.mark.parametrize("function", [fib, depth, is_even, pair, outer, in_a_loop, wrapped, small])
@pytest.mark.parametrize("n", [0, 1, 6])
def test_recursive_calls_agree_with_the_interpreter(function, n):
    printed, interpreted = both(function, n)
    assert interpreted == printed
    assert "run_recursion" not in source_of(function, n)


@pytest.mark.parametrize("x", [[], [1.5], [1.0, 2.0, 3.0]])
def test_arrays_are_handed_on(x):
    printed, interpreted = both(total, np.array(x, np.float32))
    assert interpreted == printed


@pytest.mark.parametrize("x", [[1, 1, -1], [2, 0, 3, 1]])
def test_errors_of_deep_calls_agree_with_the_interpreter(x):
    printed, interpreted = both(picked, np.array(x, np.int32), 0)
    assert interpreted == printed


def test_calls_may_be_deeper_than_pythons():
    printed, interpreted = both(depth, 3000)
    assert interpreted == printed


def test_calls_without_end_are_refused():
    with pytest.raises(RecursionError, match="maximum recursion depth exceeded") as caught:
        ag.function(depth)(rt.constant(-1))
    assert caught.value.__context__ is None


def test_a_function_that_calls_itself_is_printed_as_one():
    assert source_of(fib, 3) == (
        "def fib_1(n):\n"
        "    if not n < 2:\n"
        "        call = fib_1(n - 1)\n"
        "        call_1 = fib_1(n - 2)\n"
        "        n = call + call_1\n"
        "        if n > 1073741823 or n < -1073741823: n = wrap_int32(n)\n"
        "    return n\n"
        "def fib(n):\n"
        "    n = n.item()\n"
        "    recursion = deep_fib_1(fib_1, n)\n"
        "    return (array(recursion, int32_dtype),)\n"
    )
