"""Prints of things that change without being assigned."""

from __future__ import annotations

import array
import io
import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from autograph.backends.graph.objects.opaque_state import opaque


def endless() -> Iterator[int]:
    while True:
        yield 1


def over(values: list[int]) -> Iterator[int]:
    yield from values


ITERATORS: dict[str, Callable[[], Any]] = {
    "list": lambda: iter([1, 2]),
    "tuple": lambda: iter((1, 2)),
    "dict": lambda: iter({1: 2, 3: 4}),
    "set": lambda: iter({1, 2}),
    "text": lambda: iter("abc"),
    "range": lambda: iter(range(3)),
    "long range": lambda: iter(range(1 << 70)),
    "enumerate": lambda: enumerate([1, 2]),
    "zip": lambda: zip([1, 2], [3, 4]),
    "map": lambda: map(str, [1, 2]),
    "filter": lambda: filter(None, [1, 2]),
    "reversed": lambda: reversed([1, 2]),
    "count": lambda: itertools.count(3),
    "cycle": lambda: itertools.cycle([1, 2]),
    "chain": lambda: itertools.chain([1], [2]),
    "islice": lambda: itertools.islice([1, 2, 3], 2),
    "repeat": lambda: itertools.repeat(3, 4),
    "generator": lambda: over([1, 1, 1]),
    "endless generator of one that ends": lambda: (k for k in over([1, 1])),
}
CHANGES: dict[str, tuple[Callable[[], Any], Callable[[Any], object]]] = {
    "array": (lambda: np.zeros(3), lambda v: v.__setitem__(0, 1)),
    "large array": (lambda: np.zeros(1 << 18), lambda v: v.__setitem__(7, 1)),
    "array of objects": (lambda: np.array([None, "a"]), lambda v: v.__setitem__(0, "b")),
    "strided array": (lambda: np.zeros((4, 4))[::2, 1], lambda v: v.__setitem__(1, 1)),
    "bytearray": (lambda: bytearray(b"ab"), lambda v: v.append(3)),
    "packed": (lambda: array.array("i", [1, 2]), lambda v: v.append(3)),
    "text": (lambda: io.StringIO("ab"), lambda v: v.write("x")),
    "bytes": (lambda: io.BytesIO(b"ab"), lambda v: v.read(1)),
}
DRAWS: dict[str, tuple[Callable[[], Any], Callable[[Any], object]]] = {
    "Random": (lambda: random.Random(1), lambda v: v.random()),
    "RandomState": (lambda: np.random.RandomState(1), lambda v: v.rand()),
    "Generator": (lambda: np.random.default_rng(1), lambda v: v.random()),
}


def changed_by(value: Any, change: Callable[[Any], object]) -> bool:
    watched = opaque(value)
    assert watched is not None
    before = watched.snapshot()
    assert watched.snapshot() == before
    change(value)
    return watched.snapshot() != before


@pytest.mark.parametrize("make", ITERATORS.values(), ids=ITERATORS)
def test_an_advanced_iterator_is_detected(make):
    assert changed_by(make(), next)


@pytest.mark.parametrize("make, draw", DRAWS.values(), ids=DRAWS)
def test_drawn_or_assigned_opaque_state_is_detected(make, draw):
    assert changed_by(make(), draw)


@pytest.mark.parametrize("make, change", CHANGES.values(), ids=CHANGES)
def test_changed_opaque_state_is_detected_and_restored(make, change):
    value = make()
    watched = opaque(value)
    before = watched.snapshot()
    assert changed_by(value, change)
    watched.restore(before)
    large = getattr(value, "nbytes", 0) > 1 << 20
    assert large != (watched.snapshot() == before)


@pytest.mark.parametrize("value", [[1], {}, object(), 3, "a", len, int], ids=type)
def test_other_values_are_not_opaque_state(value):
    assert opaque(value) is None
