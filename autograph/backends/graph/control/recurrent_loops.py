"""Staging of loops over time steps that call a recurrent cell of the user's.

class Cell(Layer):
    def call(self, x, states):
        self.steps += 1              a change of Python state in a step becomes state of the loop,
                                     as in a loop that the program writes: `for x in rows:`
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from types import FunctionType, MethodType
from typing import Any

from autograph.backends.graph.control.loop import Hidden, LoopParts, staged_loop
from autograph.backends.graph.objects.object_contents import users_classes
from autograph.backends.graph.source.library_boundary import users_parts
from autograph.backends.graph.state.alias_state import alias_state
from autograph.operators.state import State

Iteration = Callable[..., Any]
_FUNCTIONS = (FunctionType, MethodType, functools.partial)


class _LoopCarriedValues:
    """The loop-carried values."""

    def __init__(self, test: Iteration, body: Iteration, start: Sequence[object]) -> None:
        self._test, self._body = test, body
        self.values = tuple(start)

    def more(self, hidden: Hidden) -> Any:
        """Return whether there is another iteration."""
        return self._test(*self.values)

    def iteration(self, hidden: Hidden) -> Hidden:
        """Run an iteration."""
        self._put(self._body(*self.values))
        return []

    def state(self) -> State:
        """Return the values as the state of a statement."""
        count = len(self.values)
        names = tuple(f"state {number}" for number in range(count))
        return State(lambda: self.values, self._put, names, count)

    def _put(self, values: Sequence[object]) -> None:
        self.values = tuple(values)


def step_loop(
    test: Iteration, body: Iteration, start: Sequence[object], cell: object
) -> list[Any] | None:
    """Record a loop and return the final carried values.

    The result is None if no part of the cell is the user's, or no Function is being traced.

    Args:
        test: takes the carried values, returns whether there is another iteration.
        body: takes the carried values, returns those of the next iteration.
        start: the first carried values.
        cell: the callee of an iteration.
    """
    users = users_parts(cell, {})
    if isinstance(cell, _FUNCTIONS) or users_classes(cell):
        users.append(getattr(cell, "call", cell))
    if not users or alias_state() is None:
        return None
    carried = _LoopCarriedValues(test, body, start)
    parts = LoopParts([], carried.more, carried.iteration, tuple(users), carried.more([]))
    staged_loop(parts, carried.state(), {})
    return list(carried.values)
