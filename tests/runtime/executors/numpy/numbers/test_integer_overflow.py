"""Python integers that overflow int32 in a graph are refused as by the interpreter."""

from __future__ import annotations

import pytest

from tests.runtime.executors.graphs import body_of, both


def differences(n):
    total = 0
    for i in range(n):
        for j in range(i):
            if (i ^ j) & 1:
                continue
            total += i - j
    return total


def of_itself(n):
    t = u = 1
    for i in range(n):
        u = t - (u - i)
        t = t + (t - 2 * i)
        u = (u + i) - (t - u)
    return t, u


def swapped(n):
    t, u = 1, -1
    for i in range(n):
        t, u = u - (t + i), (t - i) - (u + u)
        t = (i - t) + (i + 1)
    return t, u


def products(n):
    t = 1
    for i in range(n):
        t = (t + 1) * (i - 4) - (i - t)
    return t


@pytest.mark.parametrize("function", [differences, of_itself, swapped, products])
def test_overflowing_python_numbers_are_refused_as_by_the_interpreter(function):
    seen = set()
    for n in (*range(0, 40, 3), 60, 70):
        printed, interpreted = both(function, n)
        assert interpreted == printed, n
        seen.add(isinstance(printed, tuple))
    assert {False, True} >= seen and (seen == {False, True} or function is differences)


def test_overflow_checks_are_printed_at_their_op():
    body = body_of(differences, 5)
    assert "total = total + (i - j)\n" in body
    assert ": total = checked_add_int32(total - (i - j), i - j)" in body
