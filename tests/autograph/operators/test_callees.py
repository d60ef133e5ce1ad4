"""Callees of callables, computed for each kind and cached."""

from __future__ import annotations

import functools
import inspect
import sys
import types
from collections.abc import Callable
from typing import Any

from autograph.backends.protocol import Backends
from autograph.operators.calls import CallOperators, CallPlan, MakeReplacement, Replacement
from autograph.options import STANDARD, ConversionOptions


def function(x: int) -> int:
    return x + 1


def second(x: int) -> int:
    return x


class Kinds:
    def method(self, x: int) -> int:
        return x


class Answering:
    def __call__(self, x: int) -> int:
        return x


def test_a_callee_is_found_once_for_equal_options() -> None:
    calls = CallOperators(Backends(()), Planned({}))
    other = ConversionOptions(recursive=False)
    assert calls.callee_under(STANDARD) is calls.callee_under(ConversionOptions())
    assert calls.callee_under(other) is not calls.callee_under(STANDARD)


class Planned:
    """A conversion of functions that has the plan for each by its name."""

    def __init__(self, by_name: dict[str, Callable[..., Any]]) -> None:
        self.by_name = by_name
        self.asked: list[tuple[str, ConversionOptions]] = []
        self.tables: dict[ConversionOptions, dict[int, CallPlan | None]] = {}
        self.kept: dict[ConversionOptions, dict[int, Replacement]] = {}

    def plans(self, options: ConversionOptions) -> dict[int, CallPlan | None]:
        return self.tables.setdefault(options, {})

    def replacements(self, options: ConversionOptions) -> dict[int, Replacement]:
        return self.kept.setdefault(options, {})

    def set_replacement(
        self, fn: types.FunctionType, make_replacement: MakeReplacement, options: ConversionOptions
    ) -> None:
        self.replacements(options)[id(fn)] = (fn.__code__, fn.__defaults__, None, make_replacement)

    def plan(self, fn: types.FunctionType, options: ConversionOptions) -> CallPlan | None:
        self.asked.append((fn.__name__, options))
        made = self.by_name.get(fn.__name__)
        plan: Any = made and types.SimpleNamespace(instantiate=lambda fn: made)
        self.plans(options)[id(fn.__code__)] = plan
        return plan  # type: ignore[no-any-return]


def other(*args: Any, **kwargs: Any) -> tuple[Any, ...]:
    return "other", args, kwargs


def test_an_unconverted_callable_is_its_own_callee() -> None:
    callee = CallOperators(Backends(()), Planned({})).callee_under(STANDARD)
    it = Kinds()
    partial = functools.partial(function, 1)
    for f in (function, it.method, it, Answering(), partial, Kinds, str.upper, sys.exit, 3, None):
        assert callee(f) is f


def test_the_callee_keeps_bound_arguments() -> None:
    callee = CallOperators(
        Backends(()), Planned({"method": other, "__call__": other})
    ).callee_under(STANDARD)
    it, answering = Kinds(), Answering()
    assert ("other", (it, 1), {"k": 2}) == callee(it.method)(1, k=2)
    assert ("other", (answering, 1), {"k": 2}) == callee(answering)(1, k=2)
    partial = functools.partial(it.method, 1, k=2)
    assert ("other", (it, 1, 3), {"k": 4}) == callee(partial)(3, k=4)


def test_a_function_is_planned_once_under_each_options() -> None:
    functions, including = Planned({"function": other}), ConversionOptions(include=("a_package",))
    calls = CallOperators(Backends(()), functions)
    for options in (STANDARD, including) * 2:
        assert calls.callee_under(options)(function) is other
        assert calls.callee_under(options)(second) is second
    names = ["function", "second"]
    expected = [(name, options) for options in (STANDARD, including) for name in names]
    assert expected == functions.asked


def test_functions_that_read_the_callers_frame_are_not_converted() -> None:
    functions = Planned({"currentframe": other})
    callee = CallOperators(Backends(()), functions).callee_under(STANDARD)
    for _ in range(2):
        assert sys._getframe(0) is callee(inspect.currentframe)()
    assert callee(locals)()["functions"] is functions
    assert [] == functions.asked


def test_non_recursive_calls_plan_nothing() -> None:
    functions = Planned({"function": other})
    options = ConversionOptions(recursive=False).call_options()
    callee = CallOperators(Backends(()), functions).callee_under(options)
    assert callee(function) is function
    assert [4] == list(callee(map)(function, [3]))
    assert [] == functions.asked
