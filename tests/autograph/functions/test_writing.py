"""Functions whose code writes to outer state."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from autograph.functions.effect_analysis.written_names import writes_outside
from autograph.functions.function import Function

total = 0


class Thing:
    x: Any = 0

    def assigns(self, x: Any) -> None:
        self.x = x

    def adds(self, x: Any) -> None:
        self.x += x

    def counts(self) -> None:
        self.x += 1

    def makes(self, x: Any) -> Thing:
        made = Thing()
        made.x = x
        return made


def assigns_global(x: Any) -> None:
    global total
    total = x


def counts_global() -> None:
    global total
    total += 1


def assigns_outer() -> Any:
    value = 0

    def inner(x: Any) -> None:
        nonlocal value
        value = x

    return inner


@pytest.mark.parametrize(
    "function", [Thing.assigns, Thing.adds, Thing().assigns, assigns_global, assigns_outer()]
)
def test_writing_functions_are_recognised(function: Any) -> None:
    assert writes_outside(function)
    assert writes_outside(functools.partial(function, 1))
    assert writes_outside(Function(function))


@pytest.mark.parametrize("function", [Thing.counts, Thing.makes, counts_global, len, Thing])
def test_other_functions_do_not_write(function: Any) -> None:
    assert not writes_outside(function)
