"""Methods of library classes whose callees are converted."""

from __future__ import annotations

from functools import cached_property

import autograph as ag
import runtime as rt


class Account:
    def __init__(self, held: object) -> None:
        self.held = held

    @cached_property
    def doubled(self) -> object:
        if self.held > 2:
            return self.held * 2
        return self.held


def doubled(held: object) -> object:
    return Account(held).doubled


def test_callees_of_a_cached_property_are_converted() -> None:
    own = cached_property.__get__.__code__
    staged = ag.function(doubled)
    assert [2, 6] == [int(staged(rt.constant(n))) for n in (2, 3)]
    assert 1 == staged.experimental_get_tracing_count()
    assert own is cached_property.__get__.__code__
