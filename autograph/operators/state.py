"""The variables a statement may change, as one value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class State:
    """Four things that generated code hands over side by side, folded into one.

    Attributes:
        get: returns the current values, one per name.
        set: puts new values, one per name.
        names: the user's variables, outputs first; composites as written (`o.x`, `d['k']`).
        nouts: how many of the names are read after the statement.
    """

    get: Callable[[], tuple[object, ...]]
    set: Callable[[tuple[object, ...]], None]
    names: tuple[str, ...]
    nouts: int

    @property
    def outputs(self) -> tuple[str, ...]:
        """The names read after the statement."""
        return self.names[: self.nouts]


def state_of_nothing() -> State:
    """Return the state of an expression, which changes no variable."""
    return State(tuple, _put_nothing, (), 0)


def _put_nothing(values: tuple[object, ...]) -> None:
    assert not values
