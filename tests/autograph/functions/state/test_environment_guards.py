"""Snapshots of the state that a traced function can read, and their comparison."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np

import runtime as rt
from autograph.functions.function import Function
from autograph.functions.state.environment_guards import EnvironmentGuards, environment_snapshot
from runtime.graph import Graph


class Thing:
    def __init__(self, **attributes: Any) -> None:
        self.__dict__.update(attributes)


def seen_by(function: Callable[..., Any], *args: Any) -> EnvironmentGuards:
    concrete = Function(function).get_concrete_function(*args)
    assert concrete.environment is not None
    return concrete.environment


def changes(function: Callable[..., Any], *steps: Callable[[], object]) -> list[bool]:
    """Whether the function sees the same after each of some steps."""
    environment = seen_by(function, rt.constant(1))
    found = []
    for step in steps:
        step()
        found.append(environment.are_unchanged(function, [None]))
    return found


def test_attributes_items_and_variables() -> None:
    thing, items, table, number = Thing(scale=2, inner=Thing(n=1)), [1], {"k": 1}, 3

    def function(x: Any) -> Any:
        return x * thing.scale * thing.inner.n * items[0] * table["k"] * number

    def assign() -> None:
        nonlocal number
        number = 4 if number == 3 else 3

    assert [True, False, True, False, True, False, True, False, True, False] == changes(
        function,
        lambda: None,
        lambda: setattr(thing, "scale", 3),
        lambda: setattr(thing, "scale", 2),
        lambda: setattr(thing.inner, "n", 2),
        lambda: setattr(thing, "inner", Thing(n=1)),
        lambda: items.append(2),
        lambda: items.pop(),
        lambda: table.update(j=2),
        lambda: table.pop("j"),
        assign,
    )


SCALE = 2


def scaled(x: Any) -> Any:
    return x * SCALE


def test_globals_of_a_callee_are_guarded() -> None:
    def function(x: Any) -> Any:
        return scaled(x)

    def assign(value: int) -> None:
        globals()["SCALE"] = value

    assert [False, True] == changes(function, lambda: assign(3), lambda: assign(2))


def test_methods() -> None:
    class Scale:
        def by(self, x: Any) -> Any:
            return x * 2

    scale, before = Scale(), Scale.by

    def function(x: Any) -> Any:
        return scale.by(x)

    assert [False, True] == changes(
        function,
        lambda: setattr(Scale, "by", lambda self, x: x),
        lambda: setattr(Scale, "by", before),
    )


def test_settings_of_an_object_of_a_library() -> None:
    options = argparse.Namespace(rate=2)

    def function(x: Any) -> Any:
        return x * options.rate

    steps = lambda: setattr(options, "rate", 3), lambda: setattr(options, "rate", 2)
    assert [False, True] == changes(function, *steps)


def test_arrays() -> None:
    array = np.array([1, 2], np.int32)

    def function(x: Any) -> Any:
        return x * array

    steps = lambda: array.fill(3), lambda: array.__setitem__(slice(None), [1, 2])
    assert [False, True] == changes(function, *steps)


def test_the_value_of_a_variable_is_not_guarded() -> None:
    variable = rt.Variable(1)

    def function(x: Any) -> Any:
        return x * variable

    assert [True] == changes(function, lambda: variable.assign(2))


def test_state_that_is_only_written_is_not_guarded() -> None:
    thing = Thing(calls=0, log=[])

    def function(x: Any) -> Any:
        thing.calls += 1
        thing.log.append("traced")
        return x

    steps = lambda: setattr(thing, "calls", 7), lambda: thing.log.append("other")
    assert [True, True] == changes(function, *steps)


def test_symbolic_tensors_and_iterators_have_no_snapshot() -> None:
    graph = Graph("f")
    tensor = graph.add_input(rt.TensorSpec((), rt.int32), "x")
    numbers = iter([1, 2])

    def of_tensor() -> Any:
        return tensor

    def of_iterator() -> Any:
        return next(numbers)

    assert environment_snapshot(of_tensor, []) is None
    assert environment_snapshot(of_iterator, []) is None
    assert environment_snapshot(lambda: None, [Thing(value=tensor)]) is None
    assert environment_snapshot(lambda: None, [tensor]) is not None  # an argument is what it is
