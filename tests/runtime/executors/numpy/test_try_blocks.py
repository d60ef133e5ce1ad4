"""A staged `try` is printed as a Python `try` and agrees with the interpreter."""

from __future__ import annotations

import contextlib
import gc
import weakref

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors import run
from runtime.executors.numpy.printed_function import printed_function
from tests.runtime.executors.graphs import both, graph_of, source_of
from tests.runtime.passes.comparison import observed

XS = np.array([5, 0, 2, 60, -3, 0, 7], np.int32)


def divides(xs, n):
    total = 0
    for i in range(n):
        try:
            total += 10 // xs[i]
        except ZeroDivisionError:
            total -= 1
        else:
            total += 1
        finally:
            total += 100
    return total


def leaves(xs, n):
    total, i = 0, 0
    while True:
        try:
            try:
                if xs[i] > 50 + n:
                    break
                total += 10 // xs[i]
            except ZeroDivisionError:
                total += 100
                continue
            finally:
                i += 1
        except IndexError:
            break
    return total, i


class Below(Exception):
    pass


def notes(xs, n):
    total = 0
    for i in range(n):
        try:
            total += xs[i]
            if xs[i] < 0:
                raise Below(total)
            total *= 2
        except Below as error:
            total = total - error.args[0] * 10
        except IndexError:
            total = -total
            break
    return total


def one_for_another(xs, n):
    try:
        return 10 // xs[n]
    except (ZeroDivisionError, IndexError) as error:
        raise KeyError("another", xs[0]) from error


def during(xs, n):
    try:
        return 10 // xs[n]
    except ZeroDivisionError:
        return 10 // (n - 1)


def again(xs, n):
    try:
        try:
            return 10 // xs[n]
        finally:
            rt.print("first", n)
    except ZeroDivisionError as error:
        rt.print("second", str(error))
        raise


def not_caught(xs, n):
    try:
        assert xs[n] > 1, f"small {n}"
    except KeyError:
        return 0
    return 10 // (n - 3)


class Level:
    def __init__(self):
        self.level = 0

    def __enter__(self):
        self.level += 1
        return self

    def __exit__(self, kind, error, trace):
        self.level -= 1
        return kind is ZeroDivisionError


def managed(xs, n):
    level, total = Level(), 0
    for i in range(n):
        with level as inside:
            total += 10 // xs[i] + inside.level
    return total + level.level


def suppressed(xs, n):
    total = 0
    for i in range(n):
        with contextlib.suppress(ZeroDivisionError, IndexError):
            total += 10 // xs[i]
    return total


def listed(xs, n):
    found = []
    for i in range(n):
        found.append(i)
        try:
            found.append(10 // xs[i])
            if xs[i] > 50:
                raise ValueError
            found.append(100)
        except ZeroDivisionError:
            found.append(-1)
        except ValueError:
            found.pop()
    return rt.stack(found)


FUNCTIONS = [divides, leaves, notes, one_for_another, during, again, not_caught]
FUNCTIONS += [managed, suppressed, listed]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("n", [0, 1, 2, 3, 6, 7, 9])
def test_a_try_agrees_with_the_interpreter(function, n):
    graph = graph_of(function, XS, n)
    given = [XS, np.array(n, np.int32)]

    def seen(run_one):
        return observed(lambda: list(run_one([each.copy() for each in given])))

    assert seen(lambda arrays: run(graph, arrays)) == seen(
        lambda arrays: printed_function(graph).run(arrays)
    )
    assert "run_try_except" not in printed_function(graph).source


def test_a_printed_try_has_its_handlers_after_it():
    assert source_of(suppressed, XS, 3) == (
        "def suppressed(xs, n):\n"
        "    n = n.item()\n"
        "    total = 0\n"
        "    xs_numbers = numbers_of(xs)\n"
        "    for i in range(n):\n"
        "        caught = None\n"
        "        try:\n"
        "            strided_slice = xs_numbers[i]\n"
        "            floordiv = 10 // strided_slice if strided_slice "
        "else floordiv_int32(10, strided_slice)\n"
        "            try_except = total + floordiv\n"
        "            if try_except > 1073741823 or try_except < -1073741823: "
        "try_except = wrap_int32(try_except)\n"
        "        except BaseException as raised:\n"
        "            caught = handled(raised)\n"
        "        if caught is not None:\n"
        "            try_except = total\n"
        "        total = try_except\n"
        "    return (array(total, int32_dtype),)\n"
    )


def test_an_exception_of_a_handler_has_the_handled_one_as_context():
    with pytest.raises(ZeroDivisionError) as caught:
        ag.function(during)(rt.constant([5, 0]), rt.constant(1))
    context = caught.value.__context__
    assert (type(context), context.__context__) == (type(caught.value), None)
    assert not caught.value.__suppress_context__


def test_a_caught_exception_is_freed():
    found = []

    class Held(Exception):
        def __init__(self):
            found.append(weakref.ref(self))

    def fails(x):
        raise Held

    def catches(x):
        try:
            x = rt.py_function(fails, [x], rt.int32)
        except Held as error:
            rt.print(str(error))
        return x

    gc.collect()
    gc.disable()
    try:
        ag.function(catches)(rt.constant(1))
        assert [None] == [each() for each in found[-1:]]
    finally:
        gc.enable()


def test_arrays_that_a_handler_reads_are_not_written_over():
    def assigned_twice(x):
        total = x * 2.0
        try:
            total = total + x
            total = total * x
            rt.debugging.assert_less(rt.reduce_sum(total), 1.0)
        except rt.errors.InvalidArgumentError:
            total = total - x
        return total

    printed, interpreted = both(assigned_twice, np.ones(20_000, np.float32))
    assert printed == interpreted


def counted(n, v):
    v.assign_add(1)
    if n <= 0:
        return n
    return counted(n - 1, v) + n


COUNTED = ag.function(counted)


@pytest.mark.parametrize("n", [0, 5, 299, 300, 301, 3000])
def test_effects_of_deep_calls_happen_once(n):
    v = rt.Variable(0)
    assert sum(range(n + 1)) == COUNTED(rt.constant(n), v).numpy()
    assert n + 1 == v.numpy()


def caught_deep_inside(n):
    if n == 0:
        return 10 // n
    try:
        return caught_deep_inside(n - 1) + 1
    except ZeroDivisionError:
        rt.print("caught at", n)
        return -100


def without_an_end(n, v):
    v.assign_add(1)
    return without_an_end(n + 1, v) + 1


@pytest.mark.parametrize("n", [0, 1, 4, 2000])
def test_a_recursive_function_catches_its_own_exception(n):
    printed, interpreted = both(caught_deep_inside, n)
    assert printed == interpreted
    assert "run_" not in source_of(caught_deep_inside, n)


def test_calls_without_an_end_are_refused_where_the_interpreter_refuses_them():
    v = rt.Variable(0)
    with pytest.raises(RecursionError, match="maximum recursion depth exceeded"):
        ag.function(lambda k: without_an_end(k, v))(rt.constant(0))
    assert 10_000 == v.numpy()


def called_far_down(function, depth):
    return function() if depth == 0 else called_far_down(function, depth - 1)


def test_calls_near_the_recursion_limit():
    v = rt.Variable(0)
    staged = ag.function(lambda k: counted(k, v))
    staged(rt.constant(3))
    v.assign(0)
    assert 5050 == called_far_down(lambda: staged(rt.constant(100)), 500).numpy()
    assert 101 == v.numpy()
