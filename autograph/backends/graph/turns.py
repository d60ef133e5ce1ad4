"""Which objects were there before every loop around what is being traced.

What an iteration makes is another object in the next one: it may be known by identity inside the
body, but nothing that outlasts the body may say that it *is* that object.
"""

from __future__ import annotations

from contextvars import ContextVar

_BEFORE: ContextVar[tuple[frozenset[int], ...]] = ContextVar("before_loops", default=())


class tracing_a_turn:
    """Trace the body of a loop; `old` are the identities of what was there before the loop."""

    def __init__(self, old: frozenset[int]) -> None:
        self._old = old

    def __enter__(self) -> None:
        self._token = _BEFORE.set((*_BEFORE.get(), self._old))

    def __exit__(self, *error: object) -> None:
        _BEFORE.reset(self._token)


def is_lasting(value: object) -> bool:
    """Tell whether an object is the same one in every iteration of the loops around.

    >>> is_lasting([])
    True
    """
    return all(id(value) in old for old in _BEFORE.get())
