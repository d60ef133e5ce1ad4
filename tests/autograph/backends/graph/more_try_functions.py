"""More functions with `try`: whole clauses, texts of exceptions, jumps out of `finally`."""

from __future__ import annotations

import contextlib
from contextlib import suppress

import runtime as rt


def only_finally(x):
    n = 0
    try:
        n = 1
        if x > 0:
            raise ValueError("v", x)
    finally:
        n += 10
    return n


def bare_clause(x):
    try:
        if x > 0:
            raise SystemExit(x)
    except:  # noqa: E722
        return 7
    return 0


def exits(x):
    try:
        if x > 0:
            raise SystemExit(3)
    except Exception:
        return 7
    return 0


def of_python_alone(x):
    table = {"a": 1}
    try:
        y = table["b"]
    except KeyError as error:
        y = len(error.args[0])
    return x + y


def its_text(x):
    try:
        if x > 2:
            raise KeyError("large", x)
        if x > 0:
            raise ValueError(f"small {x + 1}")
        if x < 0:
            10 // (x + 1)
    except (KeyError, ValueError) as error:
        if isinstance(error, KeyError):
            return len(f"key {error}")
        if isinstance(error, OSError):
            return -1
        return len(str(error)) + len(f"{error!r}") + (error is None)
    return 0


def its_type(x):
    try:
        if x > 0:
            raise ValueError("positive", x)
    except (KeyError, ValueError) as error:
        return len(type(error).__name__)
    return 0


def wrapped(x):
    try:
        if x > 0:
            raise ValueError(f"got {x}")
    except ValueError as error:
        raise RuntimeError(f"wrapped: {error}") from error
    return x


def error_of_an_op_raised_again(x):
    n = 0
    try:
        try:
            n += rt.gather(rt.constant([10, 20, 30]), x)
        finally:
            n += 100
    except rt.errors.OpError:
        n += 1000
        if x < 0:
            raise
    return n


def finally_returns(x):
    try:
        if x > 0:
            raise ValueError("lost", x)
        return 100
    finally:
        if x < 2:
            return x * 2  # noqa: B012


def finally_breaks(x):
    total = 0
    for i in rt.range(5):
        try:
            total += 1
            if i == x:
                raise KeyError(i)
        finally:
            total += 10
            if i == 2:
                break  # noqa: B012
    return total


def mismatched(x):
    try:
        if x > 0:
            raise ValueError("a")
        y = 1
    except ValueError:
        y = 2
    return y


def suppressed(x):
    y = 0
    with contextlib.suppress(KeyError, ValueError):
        y = 1
        if x > 2:
            raise ValueError("a")
        if x > 1:
            raise TypeError("b")
        y = 2
    return y


def suppressed_in_a_loop(x):
    total = 0
    for i in rt.range(4):
        with suppress(ValueError):
            if i == x:
                raise ValueError(i)
            if i > x + 1:
                break
            total += 1
    return total


def through_a_finally(x):
    y = 0
    try:
        if x > 1:
            raise ValueError("a")
    finally:
        y = y + x
        if x > 2:
            raise KeyError("b")
    return y


def raised_once_more(x):
    y = 0
    try:
        if x > 0:
            raise ValueError("a")
    except ValueError as error:
        y = y + 1
        if x > 2:
            raise
        if x > 1:
            raise error
    return y


def through_finallies_of_a_loop(x):
    y = 0
    for i in rt.range(3):
        try:
            try:
                if i == x:
                    raise ValueError("a")
            finally:
                y = y + i
        except KeyError:
            y = -1
    return y


def assertion_through_a_finally(x):
    y = 0
    try:
        assert x < 2, "a"
    finally:
        y = y + x
    return y


def assertion_raised_once_more(x):
    y = 0
    try:
        assert x < 2, "a"
    except AssertionError as error:
        y = y + x
        if x > 2:
            raise
        raise error
    return y


FUNCTIONS = [value for value in list(vars().values()) if getattr(value, "__code__", None)]
FUNCTIONS = [each for each in FUNCTIONS if each.__module__ == __name__]
