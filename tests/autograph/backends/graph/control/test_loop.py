"""Staged loops against the same loops in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import pytest

import autograph as ag
import runtime as rt
from autograph.backends.graph.values.dtype_join import dtype_join
from autograph.backends.undefined import Undefined
from autograph.errors import LoopMismatch, StagedIterationError
from autograph.operators.variables import ld
from tests.autograph.backends.graph.generated_code import (
    BACKEND,
    FLOAT,
    INT,
    STATEMENTS,
    VECTOR,
    Staged,
    Variables,
)


def loop(test, body, v, *names, **opts):
    s = v.state(*names)
    STATEMENTS.while_stmt(test, body, s.get, s.set, s.names, opts)


def go_over(iterated, body, v, *names, extra_test=None, **opts):
    s = v.state(*names)
    STATEMENTS.for_stmt(iterated, extra_test, body, s.get, s.set, s.names, opts)


@pytest.mark.parametrize("n", [0, 1, 7])
def test_a_counting_loop(n):
    def f(n):
        v = Variables(i=0, s=0)

        def body():
            v.s, v.i = v.s + v.i, v.i + 1

        loop(lambda: v.i < n, body, v, "i", "s")
        return v.i, v.s

    staged = Staged(f, INT)
    assert (max(n, 0), sum(range(n))) == staged(n)
    assert 1 == staged.count("while_loop")


def test_the_body_of_a_loop_at_its_fixpoint_is_traced_once():
    traced = Mock()  # an object of a library, which is not watched

    def f(n):
        v = Variables(i=0)

        def body():
            traced()
            v.i = v.i + 1

        loop(lambda: v.i < n, body, v, "i")
        return v.i

    Staged(f, INT)
    assert 1 == traced.call_count


@pytest.mark.parametrize("values", [[], [1.5], [1.5, 2.0, -4.0]])
def test_an_int_literal_adapts_to_the_floats_added_to_it(values):
    def f(xs):
        v = Variables(total=0)
        go_over(xs, lambda x: setattr(v, "total", v.total + x), v, "total")
        return v.total

    staged = Staged(f, VECTOR)
    assert rt.float32 == staged.result.dtype
    assert sum(values) == staged(values)


def test_a_loop_that_starts_in_python_and_becomes_staged():
    def f(n):
        v = Variables(i=0, go=True)

        def body():
            v.i = v.i + 1
            v.go = v.i < n

        loop(lambda: v.go, body, v, "i", "go")
        return v.i

    staged = Staged(f, INT)
    assert [1, 1, 5] == [staged(n) for n in (0, 1, 5)]


def test_shapes_widen_to_a_fixpoint():
    def f(n):
        v = Variables(i=0, xs=rt.constant([1.0]))

        def body():
            v.xs, v.i = rt.concat([v.xs, v.xs], 0), v.i + 1

        loop(lambda: v.i < n, body, v, "i", "xs")
        return v.xs

    staged = Staged(f, INT)
    assert (None,) == tuple(staged.result.shape)
    assert [2**n for n in range(4)] == [len(staged(n)) for n in range(4)]


@pytest.mark.parametrize("n", [0, 1, 3])
def test_a_variable_first_bound_in_the_body(n):
    def f(n):
        v = Variables(i=0, last=Undefined("last"))

        def body():
            v.last, v.i = v.i * 10, v.i + 1

        loop(lambda: v.i < n, body, v, "i", "last")
        return ld(v.last)

    staged = Staged(f, INT)
    if n == 0:
        with pytest.raises(UnboundLocalError, match="'last'"):
            staged(n)
    else:
        assert (n - 1) * 10 == staged(n)


def test_a_variable_bound_by_the_first_iteration_and_read_by_the_others():
    def f(n):
        v = Variables(i=0, y=Undefined("y"))

        def first():
            v.y = 100

        def later():
            v.y = ld(v.y) + v.i

        def body():
            s = v.state("y")
            STATEMENTS.if_stmt(v.i == 0, first, later, s.get, s.set, s.names, 1)
            v.i = v.i + 1

        loop(lambda: v.i < n, body, v, "i", "y")
        return ld(v.y)

    staged = Staged(f, INT)
    assert [100, 101, 103, 106] == [staged(n) for n in (1, 2, 3, 4)]


def test_a_body_that_reads_before_it_binds_is_an_error_only_if_it_runs():
    def f(n):
        v = Variables(i=0, y=Undefined("y"))

        def body():
            v.y = ld(v.y) + 1
            v.i = v.i + 1

        loop(lambda: v.i < n, body, v, "i", "y")
        return v.i

    staged = Staged(f, INT)
    assert 0 == staged(0)
    with pytest.raises(UnboundLocalError, match="'y'"):
        staged(1)


def test_a_test_with_effects_runs_once_more_than_the_body(capsys):
    def f(n):
        v = Variables(i=0)

        def test():
            rt.print_("test", v.i)
            return v.i < n

        loop(test, lambda: setattr(v, "i", v.i + 1), v, "i")
        return v.i

    staged = Staged(f, INT)
    assert 3 == staged(3)
    assert ["test 0", "test 1", "test 2", "test 3"] == capsys.readouterr().err.splitlines()


def test_a_test_that_binds_a_variable():
    def f(x):
        v = Variables(x=x, r=Undefined("r"))

        def test():
            v.r = v.x - 1
            return v.r > 0

        loop(test, lambda: setattr(v, "x", v.r), v, "x", "r")
        return v.x, ld(v.r)

    staged = Staged(f, INT)
    assert [(1, 0), (1, 0), (-3, -4)] == [staged(x) for x in (5, 1, -3)]


@pytest.mark.parametrize("bounds", [(0, 4, 1), (5, 0, -1), (3, 1, 1), (-4, 9, 3), (7, -8, -5)])
def test_ranges_over_tensors(bounds):
    def f(start, stop, step):
        v = Variables(seen=0)
        numbers = BACKEND.call("range", (start, stop, step), {})
        go_over(numbers, lambda i: setattr(v, "seen", v.seen * 31 + i), v, "seen")
        return v.seen, BACKEND.call("len", (numbers,), {})

    expected = 0
    for i in range(*bounds):
        expected = expected * 31 + i
    assert (expected, len(range(*bounds))) == Staged(f, INT, INT, INT)(*bounds)


def test_a_range_with_step_zero_raises_value_error():
    def f(step):
        go_over(BACKEND.call("range", (0, 3, step), {}), lambda i: None, Variables())
        return rt.constant(0)

    with pytest.raises(ValueError, match="must not be zero"):
        Staged(f, INT)(0)


def test_rows_of_a_matrix_and_a_break():
    def f(xs):
        v = Variables(total=rt.zeros([2]), out=False)

        def body(row):
            v.total = v.total + row
            v.out = rt.reduce_sum(v.total) > 5.0

        go_over(
            xs, body, v, "total", "out",
            extra_test=lambda: rt.logical_not(v.out), exits={"out": "break"},
        )  # fmt: skip
        return v.total

    staged = Staged(f, rt.TensorSpec((None, 2), rt.float32))
    rows = [[1.0, 1.0], [2.0, 2.0], [50.0, 50.0]]
    assert [3.0, 3.0] == staged(rows)
    assert [0.0, 0.0] == staged([row for row in rows if row[0] > 99] or [[0.0, 0.0]])
    (node,) = [n for n in staged.graph.walk() if n.op.name == "while_loop"]
    assert ["break"] == [kind for _, kind in node.attrs["exits"]]


def test_a_python_loop_whose_exit_depends_on_a_tensor():
    def f(x):
        v = Variables(total=0, out=False)

        def body(item):
            v.total = v.total + item
            v.out = v.total > x

        extra = lambda: BACKEND.logical_not(v.out) if isinstance(v.out, rt.Tensor) else not v.out
        go_over([1, 2, 3, 4], body, v, "total", "out", extra_test=extra)
        return v.total

    def python(x):
        total = 0
        for item in [1, 2, 3, 4]:
            total += item
            if total > x:
                break
        return total

    staged = Staged(f, INT)
    assert [python(x) for x in range(-1, 12)] == [staged(x) for x in range(-1, 12)]


@pytest.mark.parametrize(
    "initial, change, error, words",
    [
        (
            lambda: rt.constant(1),
            lambda y: rt.constant(1.5),
            LoopMismatch,
            "dtype int32 before the loop",
        ),
        (lambda: (1,), lambda y: (*y, 1), LoopMismatch, "same nested structure"),
        (lambda: "a", lambda y: len, LoopMismatch, "str 'a' before the loop"),
    ],
)
def test_variables_that_change_kind_are_refused(initial, change, error, words):
    def f(n):
        v = Variables(i=0, y=initial())

        def body():
            v.i, v.y = v.i + 1, change(v.y)

        with pytest.raises(error, match=words), dtype_join("strict"):
            loop(lambda: v.i < n, body, v, "i", "y")
        return rt.constant(0)

    assert 0 == Staged(f, INT).count("while_loop")


def test_a_shape_invariant_is_honoured_and_checked():
    def f(n, invariant):
        v = Variables(i=0, xs=rt.constant([1.0]))

        def body():
            v.i = v.i + 1

        loop(lambda: v.i < n, body, v, "i", "xs", shape_invariants=(("xs", invariant),))
        return v.xs

    assert (None,) == tuple(Staged(lambda n: f(n, [None]), INT).result.shape)
    with pytest.raises(LoopMismatch, match="does not conform"):
        Staged(lambda n: f(n, [3]), INT)


def test_a_scalar_has_no_rows():
    with pytest.raises(StagedIterationError, match="0-d|no rows"):
        Staged(lambda x: go_over(x, lambda item: None, Variables()), FLOAT)


@pytest.mark.parametrize("end, remedy", [([1, 2], r"range\(len\(x\)\)"), (2.0, r"rt.cast\(n, ")])
def test_a_range_of_a_float_raises(end, remedy):
    with pytest.raises(StagedIterationError, match=f"takes integers, not .*: write {remedy}"):
        ag.function(lambda x: list(range(x)))(rt.constant(end))


def test_zip_and_enumerate_over_tensors():
    def f(xs, ys):
        v = Variables(a=0, b=0)

        def body(item):
            k, (x, y) = item
            v.a, v.b = v.a + x * y, v.b + k

        pairs = BACKEND.call("zip", (xs, ys), {})
        go_over(BACKEND.call("enumerate", (pairs, 1), {}), body, v, "a", "b")
        return v.a, v.b

    assert (1 * 4 + 2 * 5, 1 + 2) == Staged(f, VECTOR, VECTOR)([1, 2, 3], [4, 5])


def test_a_mismatch_marks_the_assignment_in_the_loop() -> None:
    @ag.function
    def grows(x: Any) -> Any:
        y = z = x
        while x > 0:
            z = z + 1
            y = [y]
            x = x - 1
        return y, z

    with pytest.raises(LoopMismatch) as caught:
        grows(rt.constant(2))
    line = grows.python_function.__code__.co_firstlineno + 5
    place = f"test_loop.py:{line}, in grows\n    y = [y]\n    ^"
    assert str(caught.value).endswith(place)


def test_hidden_variables_have_names_in_the_graph():
    def over_range(n):
        total = 0
        for i in range(n):
            total += i
        return total

    def last_of_range(n):
        i = total = 0
        for i in range(n):
            total += i
        return i, total

    def over_rows(xs):
        total = 0
        for x in xs:
            total += x
        return total

    rows = rt.data.Dataset.from_tensor_slices([1, 2])
    for function, argument, name in (
        (over_range, rt.constant(3), "i"),
        (last_of_range, rt.constant(3), "next_i"),
        (over_rows, rt.constant([1, 2]), "position"),
        (over_rows, rows, "iterator"),
    ):
        text = ag.function(function).get_concrete_function(argument).graph.as_text()
        assert f"body(%{name}: " in text


# -- loops that an exception alone ends ------------------------------------------------------------


class Stock:
    def __init__(self, items: list[Any]) -> None:
        self.items, self.taken = items, 0

    def take(self) -> Any:
        if self.taken >= len(self.items):
            raise LookupError("empty")
        self.taken += 1
        return self.items[self.taken - 1]


def sold(n: Any) -> Any:
    stock, total = Stock([k + 1 for k in range(n)]), 0
    try:
        while True:
            total += stock.take()
    except LookupError:
        pass
    return total, stock.taken


def popped(n: Any) -> Any:
    items, total = [k * k for k in range(n)], 0
    try:
        while True:
            total += items.pop()
    except IndexError:
        return total


def over_an_iterator(n: Any) -> Any:
    numbers, total = iter(range(40)), 0
    try:
        while True:
            number = next(numbers)
            if number > n + 100:
                raise ValueError(number)
            total += number * n
    except StopIteration:
        return total


def drained(stock: Stock) -> None:
    while True:
        stock.take()


def by_a_helper(n: Any) -> Any:
    stock = Stock([k + 1 for k in range(n)])
    try:
        drained(stock)
    except LookupError:
        return stock.taken


@pytest.mark.parametrize("n", [0, 1, 30])
@pytest.mark.parametrize("function", [sold, popped, over_an_iterator, by_a_helper])
def test_a_loop_ends_by_an_exception(function: Callable[[Any], Any], n: int) -> None:
    expected, actual = function(n), ag.function(function)(rt.constant(n))
    assert expected == rt.nest.map_structure(int, actual)
