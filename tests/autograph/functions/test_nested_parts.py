"""Inner Functions that are inlined into the outer trace."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tests.autograph.functions.nested_calls import Box, agrees, calls, count, graph_of, one

# -- what becomes part of the trace around ---------------------------------------------------------


def test_an_inner_function_with_a_captured_tensor() -> None:
    @ag.function
    def outer(x):
        y = x * 2

        @ag.function
        def inner(z):
            return z + y

        return inner(x) + inner(y)

    assert 7 == int(outer(one(1)))
    assert [] == calls(outer, one(1))


def test_an_inner_function_that_reads_a_tensor_of_an_object() -> None:
    box = Box(one(0))

    @ag.function
    def inner(z):
        return z + box.value

    @ag.function
    def outer(x):
        box.value = x
        a = inner(x)
        box.value = x * 2
        return a + inner(x)

    assert [5, 10] == [int(outer(one(each))) for each in (1, 2)]
    assert 4 == int(box.value)


def test_an_inner_function_that_reads_a_global_of_a_helper(monkeypatch: pytest.MonkeyPatch) -> None:
    @ag.function
    def inner(x):
        return scaled(x)

    @ag.function
    def outer(x):
        global SCALE
        a = inner(x)
        SCALE = 3
        b = inner(x)
        SCALE = 2
        return a, b

    assert (2, 3) == tuple(int(each) for each in outer(one(1)))
    assert 2 == int(inner(one(1)))


SCALE = 2


def scaled(x: Any) -> Any:
    return x * SCALE


def test_an_inner_function_whose_state_has_changed() -> None:
    box = Box(2)

    @ag.function
    def inner(x):
        return x * box.value

    @ag.function
    def outer(x):
        return inner(x)

    assert 2 == int(inner(one(1)))
    box.value = 5
    assert 5 == int(outer(one(1)))
    box.value = 2

    @ag.function
    def other(x):
        return inner(x)

    assert ["inner"] == calls(other, one(1))


def test_a_stateful_inner_function() -> None:
    box = Box(one(0))
    box.calls = 0
    box.items = []

    @ag.function
    def add(x):
        box.value = box.value + x
        box.calls += 1
        box.items.append(x)
        return box.value

    @ag.function
    def outer(x):
        add(x)
        return add(x * 10)

    assert [11, 33] == [int(outer(one(each))) for each in (1, 2)]
    assert (33, [1, 10, 2, 20]) == (int(box.value), [int(each) for each in box.items])
    assert 36 == int(add(one(3)))
    assert [] == calls(outer, one(1))


def test_a_list_that_is_read_is_state() -> None:
    items: list[int] = []

    @ag.function
    def append(x):
        items.append(2)
        return x

    @ag.function
    def outer(x):
        append(x)
        append(x)
        return x + items[-1] + len(items)

    assert 5 == int(outer(one(1)))
    assert [2, 2] == items


def test_state_that_only_the_inner_function_reads() -> None:
    items: list[Any] = []

    @ag.function
    def inner(x):
        return x + (items[-1] if len(items) > 0 else 0)

    @ag.function
    def outer(x):
        x = inner(x + 1)
        items.append(x)
        return x

    assert [2, 5, 9] == [int(outer(one(each))) for each in (1, 2, 3)]
    assert [2, 5, 9] == [int(each) for each in items]


def test_a_log_of_a_repeated_outer_trace() -> None:
    log, box = [], Box(one(0))

    @ag.function
    def inner(x):
        log.append("inner")
        return x

    @ag.function
    def outer(x):
        log.append("outer")
        box.value = box.value + inner(x)

    outer(one(1))
    outer(one(2))
    assert (["outer", "inner"], 3, 1) == (log, int(box.value), count(inner))


def test_a_list_argument_is_changed() -> None:
    @ag.function
    def outer(x):
        items = [x]
        append(items)
        append(items)
        return items[0] + items[1] + items[2]

    @ag.function
    def append(items):
        items.append(items[-1] * 2)

    assert 7 == int(outer(one(1)))


def test_lists_that_grow_in_the_graph_and_objects() -> None:
    @ag.function
    def total(items):
        return rt.add_n(list(items)) if len(items) > 0 else 0

    @ag.function
    def outer(x):
        items = []
        for i in rt.range(x):
            items.append(i)
        return last(items) + total([x, x]) + boxed(x).value

    @ag.function
    def last(items):
        return items[-1]

    @ag.function
    def boxed(x):
        return Box(x)

    agrees(outer, 3, 5)


def test_weakly_typed_tensors_as_arguments() -> None:
    @ag.function
    def inner(n):
        return n / 2

    @ag.function
    def outer(x):
        n = 1
        while n < x:
            n = n * 3
        return rt.cast(inner(n) * 2, rt.int32)

    agrees(outer, 1, 5, 20)


def test_inner_functions_with_constant_arguments() -> None:
    @ag.function
    def ones(n):
        return rt.ones([int(n)])

    @ag.function
    def outer(x):
        return rt.reduce_sum(ones(np.array(3))) + rt.reduce_sum(ones(one_outside)) + x

    one_outside = one(2)
    assert 6.0 == float(outer(one(1.0)))


def test_variables_created_in_an_inner_function() -> None:
    class Model:
        def __init__(self):
            self.weight = None

        @ag.function
        def layer(self, x):
            if self.weight is None:
                self.weight = rt.Variable(3)
            return x * self.weight

        @ag.function
        def run(self, x):
            return self.layer(self.layer(x))

    model = Model()
    assert (9, 18) == (int(model.run(one(1))), int(model.run(one(2))))


def test_an_input_signature() -> None:
    @ag.function(input_signature=[rt.TensorSpec((None,), rt.int32)])
    def inner(x):
        return x + 1

    @ag.function
    def outer(x):
        return inner(inner(x))

    assert [3, 4] == outer(one([1, 2])).numpy().tolist()
    assert (2,) == graph_of(outer, one([1, 2])).outputs[0].shape
    with pytest.raises(ag.errors.SignatureError):
        outer(one([1.0]))


def test_explain_follows_inner_functions() -> None:
    @ag.function
    def inner(x):
        if x > 0:
            return x
        return -x

    @ag.function
    def outer(x):
        return inner(x)

    outer(one(1))
    told = str(ag.explain(outer, one(1)))
    assert "if x > 0" in told and "graph" in told


# -- recursion -------------------------------------------------------------------------------------


def test_recursion_by_python_numbers_has_a_trace_for_each() -> None:
    @ag.function
    def fibonacci(x, n):
        return x if n < 2 else fibonacci(x, n - 1) + fibonacci(x, n - 2)

    assert 89 == int(fibonacci(one(1), 10))
    assert 11 == count(fibonacci)


def test_recursion_by_python_numbers_near_the_recursion_limit() -> None:
    @ag.function
    def power(x, n):
        return x if n == 1 else x + power(x, n - 1)

    assert 100 == int(power(one(1), 100))


def test_recursion_by_tensors() -> None:
    @ag.function
    def factorial(n):
        if n <= 1:
            return 1
        return n * factorial(n - 1)

    @ag.function
    def outer(n):
        return factorial(n) + factorial(n + 1)

    assert 24 + 120 == int(outer(one(4)))
    assert ["factorial"] * 2 == calls(outer, one(4))
    assert "recursion(" in graph_of(outer, one(4)).as_text()


def test_functions_that_call_each_other() -> None:
    @ag.function
    def even(n):
        return True if n == 0 else odd(n - 1)

    @ag.function
    def odd(n):
        return False if n == 0 else even(n - 1)

    assert [True, False, True] == [bool(even(one(each))) for each in (10, 7, 0)]
    assert bool(odd(one(5)))


def test_recursion_that_python_numbers_do_not_end() -> None:
    @ag.function
    def steps(x, n):
        if x <= 1:
            return n
        return steps(x // 2, n + 1)

    @ag.function
    def outer(x):
        return steps(x, 0)

    assert [0, 3, 6] == [int(outer(one(each))) for each in (1, 8, 64)]
