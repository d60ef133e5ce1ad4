"""What is done with one of several objects: a conditional, a branch for each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import runtime as rt
from autograph.backends.graph.conditional import staged_choice
from autograph.backends.graph.several import Action, Several


def pick(several: Several, action: Action, text: str) -> Any:
    """Return `action(object)` for the object that it is when the graph runs."""
    index, options = several.index, several.options

    def from_position(position: int) -> object:
        if position == len(options) - 1:
            return action(options[position])
        is_it = rt.equal(index, position)
        return staged_choice(
            is_it,
            lambda: action(options[position]),
            lambda: from_position(position + 1),
            f"{text} of one of several objects",
            [(type(each).__name__, each) for each in options],
        )

    return from_position(0)


def callable_of(several: Several, callee: Callable[[Any], Any]) -> Callable[..., Any]:
    """Return what calls the converted form of whichever object it is."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return pick(several, lambda each: callee(each)(*args, **kwargs), "a call")

    return call


Several.pick = staticmethod(pick)
