"""Concrete functions, and threads, inside of a trace."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import StagingError
from tests.autograph.functions.nested_calls import Box, calls, count, one

# -- concrete functions ----------------------------------------------------------------------------


def test_a_concrete_function_is_a_node() -> None:
    weight = rt.Variable(3)

    @ag.function
    def inner(x, n=2):
        return {"value": x * n * weight, "other": [None, x]}

    concrete = inner.get_concrete_function(rt.TensorSpec((None,), rt.int32))

    @ag.function
    def outer(x):
        found = concrete(x)
        return found["other"][1] + concrete(x=x, n=2)["value"] + found["value"]

    assert [13, 26] == outer(one([1, 2])).numpy().tolist()
    assert ["inner", "inner"] == calls(outer, one([1, 2]))
    assert (weight,) == outer.get_concrete_function(one([1, 2])).variables
    weight.assign(1)
    assert [5, 10] == outer(one([1, 2])).numpy().tolist()


def test_arguments_are_checked_as_in_an_eager_call() -> None:
    concrete = ag.function(lambda x, n: x * n).get_concrete_function(
        rt.TensorSpec((2,), rt.float32), 3
    )

    def called(*args: Any) -> Any:
        return ag.function(lambda x: concrete(x, *args))

    assert [3.0, 6.0] == called()(one([1.0, 2.0])).numpy().tolist()
    with pytest.raises(rt.errors.InvalidArgumentError, match="expected to be a float32 tensor"):
        called()(one([1, 2]))
    with pytest.raises(rt.errors.InvalidArgumentError, match="expected to have shape"):
        called()(one([1.0]))
    with pytest.raises(ag.errors.SignatureError, match="traced with another 'n'"):
        called(4)(one([1.0, 2.0]))


def test_a_weakly_typed_tensor_fits_a_concrete_function() -> None:
    concrete = ag.function(lambda x: x + 1).get_concrete_function(rt.TensorSpec((), rt.int64))

    @ag.function
    def outer(x):
        n = 0
        while n < x:
            n = n + 2
        return concrete(n)

    assert 7 == int(outer(one(5)))


def test_an_exception_of_a_concrete_function_is_caught() -> None:
    @ag.function
    def inner(x):
        if x > 2:
            raise ValueError("large")
        return x + 1

    concrete = inner.get_concrete_function(one(1))

    @ag.function
    def outer(x):
        y = 0
        try:
            y = x * 10
            return concrete(x)
        except ValueError:
            return -y

    assert [2, -30] == [int(outer(one(each))) for each in (1, 3)]


def test_a_stateful_concrete_function_is_refused() -> None:
    box = Box(one(0))

    @ag.function
    def add(x):
        box.value = box.value + x

    concrete = add.get_concrete_function(one(1))
    with pytest.raises(StagingError, match=r"writes 'box\.value'"):
        ag.function(lambda x: concrete(x))(one(1))


def test_a_concrete_function_that_returns_objects_is_refused() -> None:
    concrete = ag.function(lambda x: Box(x)).get_concrete_function(one(1))
    with pytest.raises(StagingError, match="returns more than tensors"):
        ag.function(lambda x: concrete(x).value)(one(1))


# -- threads ---------------------------------------------------------------------------------------


def in_threads(*runs: Callable[[], Any]) -> list[Any]:
    results: list[Any] = [None] * len(runs)

    def run(at: int) -> None:
        results[at] = int(runs[at]())

    threads = [threading.Thread(target=run, args=(at,)) for at in range(len(runs))]
    for each in threads:
        each.start()
    for each in threads:
        each.join(60)
    return results


def test_threads_share_one_trace() -> None:
    @ag.function
    def inner(x):
        return x + 1

    outers = [ag.function(lambda x, k=k: inner(x) + k) for k in range(6)]
    assert [2, 3, 4, 5, 6, 7] == in_threads(*(lambda f=f: f(one(1)) for f in outers))
    assert 1 == count(inner)


def test_threads_that_trace_functions_which_call_each_other() -> None:
    @ag.function
    def first(x, n):
        return x if n == 0 else second(x, n - 1) + 1

    @ag.function
    def second(x, n):
        return x if n == 0 else first(x, n - 1) + 1

    assert [6, 6] == in_threads(lambda: first(one(0), 6), lambda: second(one(0), 6))
