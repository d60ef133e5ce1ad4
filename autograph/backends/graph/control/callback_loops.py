"""Staged loops over items that call user functions, as in `sorted(xs, key=o.rank)`.

State that such a function changes is carried through the loop, as in a `for` statement.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import runtime as rt
from autograph.backends.graph.control.conditional import do_nothing, staged_if
from autograph.backends.graph.control.loop import LoopParts, staged_loop
from autograph.backends.graph.control.loop_source import Functions, Hidden, Iteration, LoopSource
from autograph.backends.graph.values.join_errors import VALUE
from autograph.operators.state import State

Step = Callable[[Iteration, Any], Any]
Test = Callable[[Any], rt.Tensor]
_ITEMS = f"{VALUE}these items"


def fold_watched(
    source: LoopSource, step: Step, start: Any, functions: Functions, goes_on: Test | None = None
) -> Any:
    """Return the result of folding `step` over all iterations, from `start`.

    Args:
        source: the loop source of the items.
        step: `step(iteration, so_far)` -> the next accumulated value.
        start: a tensor, or a list to which iterations may append.
        functions: the user's functions that the step calls.
        goes_on: takes the accumulated value, returns whether there is another iteration.
    """
    so_far = [start]

    def put(values: tuple[object, ...]) -> None:
        so_far[:] = values

    def take(iteration: Iteration) -> None:
        so_far[0] = step(iteration, so_far[0])

    def body(hidden: Hidden) -> Hidden:
        iteration = source.iteration(hidden)
        if iteration.has_item is None:
            take(iteration)
        else:
            staged_if(iteration.has_item, lambda: take(iteration), do_nothing, state, functions)
        return iteration.following()

    def test(hidden: Hidden) -> rt.Tensor:
        if goes_on is None:
            return source.more(hidden)
        return source.more_if(lambda: goes_on(so_far[0]), hidden)

    state = State(lambda: tuple(so_far), put, (_ITEMS,), 1)
    staged_loop(LoopParts(source.hidden, test, body, functions, at_end=source.at_end), state, {})
    return so_far[0]


def appending(function: Callable[[Any], object]) -> Step:
    """Return the step that appends the result of a function of the item to a list."""

    def add(iteration: Iteration, items: list[object]) -> list[object]:
        items.append(function(iteration.item()))
        return items

    return add
