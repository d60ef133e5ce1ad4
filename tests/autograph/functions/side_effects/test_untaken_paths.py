"""State that a Python flag changes: calls without the flag read its current value."""

from __future__ import annotations

import functools
import itertools
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tests.suite_length import sample

nn = rt.nn
now: Any = None


class Colour(Enum):
    RED = 1
    BLUE = 2


class Scaling:
    def __init__(self, factor: float) -> None:
        self.factor = factor

    def scaled(self, x: Any) -> Any:
        return x * self.factor


class Scale(nn.layers.Layer):
    def __init__(self, factor: float) -> None:
        super().__init__()
        self.factor = factor

    def call(self, inputs: Any) -> Any:
        return inputs * self.factor


def swapped(one: Any, other: Any) -> tuple[Any, Callable[[Any], Any]]:
    return one, lambda value: other if value is one else one


DOUBLE, TRIPLE = Scaling(2.0), Scaling(3.0)
KEPT: list[object] = []
# What there is first, what becomes of it, and what a call makes of that.
STATES: dict[str, tuple[Any, Callable[[Any], Any], Callable[[Any, Any], Any]]] = {
    "float32": (np.float32(0), lambda v: v + np.float32(1), lambda v, x: x * v),
    "int64": (np.int64(0), lambda v: v + 1, lambda v, x: x * float(v)),
    "bool_": (np.bool_(True), lambda v: np.bool_(not v), lambda v, x: x * int(v)),
    "Decimal": (Decimal(0), lambda v: v + 1, lambda v, x: x * float(v)),
    "Fraction": (Fraction(1, 2), lambda v: v + 1, lambda v, x: x * float(v)),
    "complex": (1 + 0j, lambda v: v + 1, lambda v, x: x * v.real),
    "timedelta": (timedelta(0), lambda v: v + timedelta(1), lambda v, x: x * v.days),
    "bytes": (b"", lambda v: v + b"a", lambda v, x: x * len(v)),
    "bytearray": (bytearray(), lambda v: v + b"a", lambda v, x: x * len(v)),
    "tuple": ((0,), lambda v: (*v, 1), lambda v, x: x * len(v)),
    "frozenset": (frozenset(), lambda v: v | {len(v)}, lambda v, x: x * len(v)),
    "range": (range(0), lambda v: range(len(v) + 1), lambda v, x: x * len(v)),
    "array": (np.zeros(2, np.float32), lambda v: v + 1, lambda v, x: x * v[0]),
    "list": ([0], lambda v: [*v, 1], lambda v, x: x * len(v)),
    "list that is kept": ([0], lambda v: KEPT.append(v) or [*v, 1], lambda v, x: x * len(v)),
    "dict": ({}, lambda v: {**v, len(v): 1}, lambda v, x: x * len(v)),
    "set": ({0}, lambda v: v | {len(v)}, lambda v, x: x * len(v)),
    "deque": (deque([1]), lambda v: deque([*v, 1]), lambda v, x: x * len(v)),
    "OrderedDict": (
        OrderedDict(),
        lambda v: OrderedDict(v, **{str(len(v)): 1}),
        lambda v, x: x * len(v),
    ),
    "Counter": (Counter(), lambda v: v + Counter("a"), lambda v, x: x * v["a"]),
    "defaultdict": (
        defaultdict(int),
        lambda v: defaultdict(int, {**v, len(v): 1}),
        lambda v, x: x * len(v),
    ),
    "enum": (*swapped(Colour.RED, Colour.BLUE), lambda v, x: x * v.value),
    "class": (*swapped(int, float), lambda v, x: x * (2.0 if v is int else 3.0)),
    "function": (*swapped(rt.nn.relu, rt.tanh), lambda v, x: v(x)),
    "method": (*swapped(DOUBLE.scaled, TRIPLE.scaled), lambda v, x: v(x)),
    "partial": (
        *swapped(functools.partial(DOUBLE.scaled), functools.partial(TRIPLE.scaled)),
        lambda v, x: v(x),
    ),
    "Function": (
        *swapped(ag.function(lambda x: x * 2.0), ag.function(lambda x: x * 3.0)),
        lambda v, x: v(x),
    ),
    "object": (*swapped(DOUBLE, TRIPLE), lambda v, x: v.scaled(x)),
    "object or None": (*swapped(None, TRIPLE), lambda v, x: x if v is None else v.scaled(x)),
    "objects in a list": (*swapped([DOUBLE], [TRIPLE]), lambda v, x: v[0].scaled(x)),
    "objects in a tuple": (*swapped((DOUBLE, 1), (TRIPLE, 1)), lambda v, x: v[0].scaled(x)),
    "layer": (*swapped(Scale(2.0), Scale(3.0)), lambda v, x: v(x)),
    "variable": (*swapped(rt.Variable(2.0), rt.Variable(3.0)), lambda v, x: x * v),
    "optimizer": (
        *swapped(nn.optimizers.SGD(0.1), nn.optimizers.SGD(0.2)),
        lambda v, x: x * v.learning_rate,
    ),
}
ORDERS = ["0110100", "010010010", "1111"]


def by_attribute(value: Any, step: Any, look: Any) -> Callable[..., Any]:
    m = SimpleNamespace(now=value)

    def f(x: Any, flag: bool) -> Any:
        if flag:
            m.now = step(m.now)
        return look(m.now, x)

    return f


def by_method(value: Any, step: Any, look: Any) -> Callable[..., Any]:
    class Owner:
        def __init__(self) -> None:
            self.now = value

        def advance(self) -> None:
            self.now = step(self.now)

        def f(self, x: Any, flag: bool) -> Any:
            if flag:
                self.advance()
            return look(self.now, x)

    return Owner().f


def by_item(value: Any, step: Any, look: Any) -> Callable[..., Any]:
    held = {"now": value}

    def f(x: Any, flag: bool) -> Any:
        if flag:
            held["now"] = step(held["now"])
        return look(held["now"], x)

    return f


def by_nonlocal(value: Any, step: Any, look: Any) -> Callable[..., Any]:
    def f(x: Any, flag: bool) -> Any:
        nonlocal value
        if flag:
            value = step(value)
        return look(value, x)

    return f


def by_global(value: Any, step: Any, look: Any) -> Callable[..., Any]:
    global now
    now = value

    def f(x: Any, flag: bool) -> Any:
        global now
        if flag:
            now = step(now)
        return look(now, x)

    return f


PLACES = [by_attribute, by_method, by_item, by_nonlocal, by_global]


@pytest.mark.filterwarnings("ignore::autograph.errors.RetracingWarning")
@pytest.mark.parametrize("name, place", sample([*itertools.product(STATES, PLACES)], 7))
def test_calls_see_state_of_other_calls(name: str, place: Callable[..., Any]) -> None:
    state = STATES[name]
    for order in ORDERS:
        flags = [flag == "1" for flag in order]
        plain = place(*state)
        expected = [float(plain(rt.constant(0.5), flag)) for flag in flags]
        staged = ag.function(place(*state))
        actual = [float(staged(rt.constant(0.5), flag)) for flag in flags]
        np.testing.assert_allclose(actual, expected, 1e-6, err_msg=order)


def test_unchanged_state_does_not_retrace() -> None:
    class Owner:
        def __init__(self) -> None:
            self.inner, self.kind, self.pair = DOUBLE, Colour.RED, (1, 2)

        def f(self, x: Any, flag: bool) -> Any:
            if flag:
                self.inner, self.kind, self.pair = TRIPLE, Colour.BLUE, (3, 4)
            return self.inner.scaled(x) * float(self.kind.value + sum(self.pair))

    staged = ag.function(Owner().f)
    assert [4.0] * 5 == [float(staged(rt.constant(0.5), False)) for _ in range(5)]
    assert 1 == staged.experimental_get_tracing_count()


def test_a_freed_object_is_not_confused_with_a_new_one() -> None:
    m = SimpleNamespace(now=Scaling(1.0), next=1.0)

    def f(x: Any, flag: bool) -> Any:
        if flag:
            m.now = Scaling(m.next)
        return m.now.scaled(x)

    staged = ag.function(f)
    for number in range(1, 12):
        m.now = Scaling(float(number))  # often where the last one was
        assert float(number) == float(staged(rt.constant(1.0), False))


@pytest.mark.parametrize("base", [object, list])
def test_a_number_of_the_class_and_one_of_the_object_have_one_dtype(base: type) -> None:
    class Counter(base):  # type: ignore[misc]
        n = 0

        @ag.function
        def step(self, x: Any) -> Any:
            if x > 0:
                self.n += 1
            return self.n * 2

    counter = Counter()
    given = [counter.step(rt.constant(x)) for x in (-1, 1, 1)]
    assert [int(each) for each in given] == [0, 2, 4]
    assert {each.dtype for each in given} == {rt.int64}
    assert (counter.n, Counter.n) == (2, 0)
    other = Counter()
    other.step(rt.constant(-1))
    assert vars(other) == {}
