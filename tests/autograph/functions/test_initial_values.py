"""Variables created in the first call from its arguments."""

from __future__ import annotations

import copy
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import FailedPreconditionError


class Mean:
    """A running mean that begins with the mean of its first input."""

    def __init__(self) -> None:
        self.kept: Any = None

    @ag.function
    def __call__(self, x: Any) -> Any:
        y = rt.reduce_mean(x, axis=0)
        if self.kept is None:
            self.kept = rt.Variable(y, name="kept")
        else:
            self.kept.assign(0.5 * self.kept + 0.5 * y)
        return self.kept * 1.0


def test_an_initial_value_may_depend_on_an_argument() -> None:
    mean = Mean()
    found = [mean(rt.constant(rows)).numpy().tolist() for rows in ([[1.0], [3.0]], [[4.0], [4.0]])]
    assert ([[2.0], [3.0]], [3.0]) == (found, mean.kept.numpy().tolist())
    assert mean(rt.constant([[3.0], [3.0]])).numpy().tolist() == [3.0]


def test_a_new_variable_can_be_used_in_the_same_call() -> None:
    held: list[Any] = []

    @ag.function
    def first(x: Any) -> Any:
        if not held:
            held.append(rt.Variable(rt.ones_like(x)))
        held[0].assign_add(x)
        with rt.GradientTape() as tape:
            y = rt.reduce_sum(held[0] * held[0])
        return tape.gradient(y, held[0])

    assert [4.0, 6.0] == first(rt.constant([1.0, 2.0])).numpy().tolist()
    assert [6.0, 10.0] == first(rt.constant([1.0, 2.0])).numpy().tolist()


def test_an_inner_function_creates_a_variable_for_the_outer_call() -> None:
    mean = Mean()

    @ag.function
    def twice(x: Any) -> Any:
        return mean(x) + mean(x + 2.0)

    assert [5.0] == twice(rt.constant([[2.0]])).numpy().tolist()
    assert [3.0] == mean.kept.numpy().tolist()


def test_get_concrete_function_refuses_a_variable_of_its_first_call() -> None:
    with pytest.raises(FailedPreconditionError, match="call the function itself once before"):
        Mean().__call__.get_concrete_function(rt.TensorSpec((None, 1)))
    mean = Mean()
    mean(rt.constant([[2.0]]))
    again = mean.__call__.get_concrete_function(rt.TensorSpec((None, 1)))
    assert [[3.0], [3.5]] == [again(rt.constant([[4.0]])).numpy().tolist() for _ in range(2)]


def test_the_value_of_an_uninitialized_variable_is_refused() -> None:
    held: list[Any] = []

    @ag.function
    def fails(x: Any) -> Any:
        rt.debugging.assert_positive(x, "must be positive")
        held.append(rt.Variable(x, name="v"))
        return held[0] + held[0].numpy()

    with pytest.raises(Exception, match="numpy"):
        fails(rt.constant(1.0))
    with pytest.raises(FailedPreconditionError, match="variable 'v' has no value yet"):
        held[0].numpy()


MAKERS = {
    "the variable": lambda v, x: rt.Variable(v),
    "a product": lambda v, x: rt.Variable(v * 2.0),
    "what is read": lambda v, x: rt.Variable(v.read_value()),
    "a function": lambda v, x: rt.Variable(lambda: v * 2.0),
    "a function of an argument": lambda v, x: rt.Variable(lambda: v * x),
    "a list": lambda v, x: rt.Variable([v, v * 2.0]),
    "a deep copy": lambda v, x: copy.deepcopy(v),
    "a known number": lambda v, x: rt.Variable(lambda: np.float32(3.0)),
}


def changed_at_once(v: Any) -> None:
    v.assign_add(1.0)


def changed_in_a_branch(v: Any) -> None:
    if v > 0.0:
        v.assign_add(1.0)


def changed_in_a_loop(v: Any) -> None:
    for _ in rt.range(3):
        v.assign_add(1.0)


@ag.function
def changed_by_a_function(v: Any) -> None:
    v.assign_add(1.0)


def changed_by_python(v: Any) -> None:
    rt.py_function(lambda: v.assign_add(1.0) and None, [], [])


CHANGES = [
    changed_at_once,
    changed_in_a_branch,
    changed_in_a_loop,
    changed_by_a_function,
    changed_by_python,
]


def calls_of(change: Any, make: Any, wrap: Any) -> list[Any]:
    v, held = rt.Variable(1.0), SimpleNamespace(made=None)

    def call(x: Any) -> Any:
        change(v)
        if held.made is None:
            held.made = make(v, x)
        v.assign_add(10.0)
        return x * held.made, v.read_value()

    wrapped = wrap(call)
    found = [wrapped(rt.constant(x)) for x in (1.0, 2.0, 3.0)]
    return [[each.numpy().tolist() for each in pair] for pair in found]


@pytest.mark.parametrize("change", CHANGES, ids=lambda each: each.__name__)
@pytest.mark.parametrize("kind", MAKERS)
def test_an_initial_value_reads_variables_after_their_changes(change: Any, kind: str) -> None:
    expected = calls_of(change, MAKERS[kind], lambda function: function)
    assert expected == calls_of(change, MAKERS[kind], ag.function)


def test_an_initial_value_of_unchanged_variables_in_a_concrete_function() -> None:
    v, held = rt.Variable(2.0), SimpleNamespace(made=None)

    @ag.function
    def scaled(x: Any) -> Any:
        if held.made is None:
            held.made = rt.Variable(v * 2.0)
        v.assign_add(1.0)
        return x * held.made

    concrete = scaled.get_concrete_function(rt.TensorSpec((), "float32"))
    assert [4.0, 8.0] == [float(concrete(rt.constant(x))) for x in (1.0, 2.0)]
