"""Inner Functions that are nodes of the outer graph."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

import autograph as ag
import runtime as rt
from tests.autograph.functions.nested_calls import calls, count, graph_of, one


class Pair(NamedTuple):
    first: Any
    second: Any


# -- sharing ---------------------------------------------------------------------------------------


def test_an_inner_function_is_traced_once_per_trace_key() -> None:
    traced = []

    @ag.function
    def inner(x):
        traced.append("inner")
        return x * 2

    @ag.function
    def outer(x):
        return inner(inner(x)) + inner(x + 1)

    assert 16 == int(outer(one(2))) - int(inner(one(-1)))  # eager calls use the trace as well
    assert (["inner"], 1, 1) == (traced, count(inner), count(outer))
    assert ["inner"] * 3 == calls(outer, one(2))


def test_a_trace_of_an_eager_call_serves() -> None:
    @ag.function
    def inner(x, n):
        return x * n

    @ag.function
    def outer(x):
        return inner(x, 2) + inner(x, n=2) + inner(x, 3)

    assert 4 == int(inner(one(2), 2))
    assert 14 == int(outer(one(2)))
    assert 2 == count(inner)  # one for each number


def test_each_dtype_and_shape_has_an_inner_trace() -> None:
    @ag.function
    def inner(x):
        return x + x

    @ag.function
    def outer(x):
        return inner(x), inner(rt.cast(x, rt.float32)), inner(x[:1]), inner(x[1:])

    results = outer(one([1, 2]))
    assert [[2, 4], [2.0, 4.0], [2], [4]] == [each.numpy().tolist() for each in results]
    assert 3 == count(inner)
    assert [(2,), (2,), (1,), (1,)] == [each.shape for each in graph_of(outer, one([1, 2])).outputs]


def test_three_nested_functions() -> None:
    @ag.function
    def first(x):
        return x + 1

    @ag.function
    def second(x):
        return first(x) * first(x + 1)

    @ag.function
    def third(x):
        return second(x) - first(x)

    assert 12 - 3 == int(third(one(2)))
    assert (1, 1, 1) == (count(first), count(second), count(third))
    assert 3 == graph_of(third, one(2)).as_text().count("graph ")


def test_inner_functions_in_branches_and_loops() -> None:
    @ag.function
    def inner(x):
        return x * 2 if x < 10 else x - 3

    @ag.function
    def outer(x, n):
        if n > 2:
            x = inner(x)
        for _ in rt.range(n):
            x = inner(x)
        while x < 40:
            x = inner(x) + 15
        return x

    for x, n in ((1, 0), (1, 3), (30, 5)):
        assert int(outer.python_function(one(x), one(n))) == int(outer(one(x), one(n)))
    assert 1 == count(inner)
    assert 3 == len(calls(outer, one(1), one(2)))


def test_methods() -> None:
    class Layer:
        def __init__(self, scale):
            self.weight = rt.Variable(scale)

        @ag.function
        def __call__(self, x):
            return self.weight * x

    class Model:
        def __init__(self):
            self.layers = [Layer(2), Layer(3)]

        @ag.function
        def run(self, x):
            for layer in self.layers:
                x = layer(layer(x))
            return x

    model = Model()
    assert 36 == int(model.run(one(1)))
    assert [1, 1] == [count(layer.__call__) for layer in model.layers]
    model.layers[0].weight.assign(1)
    assert 9 == int(model.run(one(1)))


def test_structures_are_passed_and_returned() -> None:
    @ag.function
    def inner(pair, options):
        return {"sum": pair.first + options["add"], "rest": [pair.second, None, (pair.first,)]}

    @ag.function
    def outer(x):
        found = inner(Pair(x, x + 1), {"add": 3})
        return Pair(found["sum"], found["rest"])

    found = outer(one(1))
    assert (4, 2, None, 1) == (
        int(found.first),
        int(found.second[0]),
        found.second[1],
        int(found.second[2][0]),
    )
    assert ["inner"] == calls(outer, one(1))


def test_unknown_shapes() -> None:
    @ag.function
    def inner(x):
        return rt.reduce_sum(x), x

    @ag.function(input_signature=[rt.TensorSpec((None,), rt.int32)])
    def outer(x):
        total, same = inner(x)
        return same + total

    assert [7, 8] == outer(one([2, 3])).numpy().tolist()
    assert [16, 16, 16] == outer(one([4, 4, 4])).numpy().tolist()
    assert ["inner"] == calls(outer)


def test_python_numbers_in_results_are_constant_tensors() -> None:
    @ag.function
    def shape(x):
        return 2, x.shape[0]

    @ag.function
    def outer(x):
        rows, columns = shape(x)
        return rt.reshape(x, [rows, 2]), rt.zeros([columns])

    table, zeros = outer(rt.range(4))
    assert ((2, 2), (4,)) == (table.shape, zeros.shape)
    assert (2, 2) == graph_of(outer, rt.range(4)).outputs[0].shape


def test_a_result_that_is_an_argument_is_that_tensor() -> None:
    @ag.function
    def inner(x, y):
        return y, x

    @ag.function
    def outer(x):
        a, b = inner(x, x + 1)
        return 1 if b is x else a

    assert 1 == int(outer(one(1)))


# -- order and effects -----------------------------------------------------------------------------


def test_variables_are_assigned_in_order() -> None:
    total = rt.Variable(1)

    @ag.function
    def add(x):
        total.assign_add(x)
        return total.read_value()

    @ag.function
    def outer(x):
        first = add(x)
        total.assign(total * 10)
        return first, add(x), total.read_value()

    assert [3, 32, 32] == [int(each) for each in outer(one(2))]
    assert (1, 32) == (count(add), int(total))
    assert ["add", "add"] == calls(outer, one(2))


def test_prints_keep_their_order(capfd: pytest.CaptureFixture[str]) -> None:
    @ag.function
    def inner(x):
        rt.print("inner", x)

    @ag.function
    def outer(x):
        rt.print("before")
        inner(x)
        inner(x + 1)
        rt.print("after")

    outer(one(1))
    assert ["before", "inner 1", "inner 2", "after"] == capfd.readouterr().err.splitlines()
    assert 2 == len(calls(outer, one(1)))


def test_an_unused_call_is_removed() -> None:
    @ag.function
    def inner(x):
        return x + 1

    @ag.function
    def outer(x):
        inner(x)
        return x

    assert [] == calls(outer, one(1))


def test_an_error_of_a_run_names_the_line_inside() -> None:
    @ag.function
    def inner(x):
        return 10 // x  # here

    @ag.function
    def outer(x):
        return inner(x) + 1

    with pytest.raises(rt.errors.DivisionByZeroError, match="in inner") as caught:
        outer(one(0))
    assert inner.python_function.__code__.co_firstlineno + 2 == caught.value.origin.line
    assert ["inner"] == calls(outer, one(1))


def test_an_assertion_inside() -> None:
    @ag.function
    def inner(x):
        assert x > 0, "not positive"
        return x

    @ag.function
    def outer(x):
        return inner(x) + inner(x - 1)

    assert 3 == int(outer(one(2)))
    with pytest.raises(AssertionError, match="not positive"):
        outer(one(1))


def test_an_exception_of_an_inner_function_is_caught_by_the_outer_one() -> None:
    @ag.function
    def inner(x):
        if x > 2:
            raise ValueError("large")
        return x + 1

    @ag.function
    def outer(x):
        inner(x - 1)
        try:
            x = x * 10
            x = inner(x)
        except ValueError:
            return -x
        return x

    assert [-10, 1, -30] == [int(outer(one(each))) for each in (1, 0, 3)]
    with pytest.raises(ValueError, match="large"):
        outer(one(4))


def test_an_exception_of_every_call_is_raised_in_the_outer_trace() -> None:
    @ag.function
    def inner(x):
        rt.print(x)
        raise KeyError("always")

    @ag.function
    def outer(x):
        try:
            inner(x)
        except KeyError:
            return x - 1
        return x + 1

    assert 0 == int(outer(one(1)))
