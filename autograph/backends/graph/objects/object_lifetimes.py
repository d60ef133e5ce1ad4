"""Sets of the objects that exist before each statement around the code being traced.

An object that an iteration creates is another one in the next iteration: the body may hold it by
identity, but nothing that outlives the body may. An object that a branch creates exists only on
that path.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias

from runtime.graph.graph import Graph

_Iterations: TypeAlias = "tuple[tuple[frozenset[int], Graph], ...]"
BEFORE: ContextVar[_Iterations] = ContextVar("before_loops", default=())
BEFORE_ALL: ContextVar[tuple[frozenset[int], ...]] = ContextVar("before_all", default=())
_BEFORE_JOINED: ContextVar[frozenset[int]] = ContextVar("before_joined", default=frozenset())


class tracing_path:
    """Trace a branch; `old` are the identities of the objects from before the statement."""

    def __init__(self, old: frozenset[int]) -> None:
        self._old = old

    def __enter__(self) -> None:
        self._token = BEFORE_ALL.set((*BEFORE_ALL.get(), self._old))

    def __exit__(self, *error: object) -> None:
        BEFORE_ALL.reset(self._token)


class tracing_iteration(tracing_path):
    """Trace the body of a loop, or of a recursive function, into a graph.

    Args:
        old: the identities of objects from before the loop.
        body: the graph.
    """

    def __init__(self, old: frozenset[int], body: Graph) -> None:
        super().__init__(old)
        self._body = body

    def __enter__(self) -> None:
        super().__enter__()
        self._iteration = BEFORE.set((*BEFORE.get(), (self._old, self._body)))

    def __exit__(self, *error: object) -> None:
        BEFORE.reset(self._iteration)
        super().__exit__(*error)


@contextmanager
def joining_paths(old: frozenset[int]) -> Iterator[None]:
    """Join the values that the paths of a statement leave; `old` as in `tracing_path`."""
    token = _BEFORE_JOINED.set(old)
    try:
        yield
    finally:
        _BEFORE_JOINED.reset(token)


def is_of_no_path(value: object) -> bool:
    """Return whether an object is from before the statement whose paths are being joined.

    >>> value = []
    >>> with joining_paths(frozenset({id(value)})):
    ...     is_of_no_path(value), is_of_no_path([])
    (True, False)
    """
    return id(value) in _BEFORE_JOINED.get()


def is_lasting(value: object) -> bool:
    """Return whether an object is the same one in every iteration of the surrounding loops.

    >>> is_lasting([])
    True
    """
    return iteration_of(value) is None


def is_in_iteration() -> bool:
    """Return whether the body of a loop is traced.

    >>> is_in_iteration()
    False
    """
    return bool(BEFORE.get())


def iteration_of(value: object) -> Graph | None:
    """Return the graph of the surrounding loop body that creates an object; None if none does.

    >>> iteration_of([])
    """
    return next((body for old, body in reversed(BEFORE.get()) if id(value) not in old), None)


def is_open(body: Graph) -> bool:
    """Return whether a loop's body is being traced, so that the objects it creates exist."""
    return any(each is body for _, each in BEFORE.get())


def is_from_outside(value: object) -> bool:
    """Return whether an object is from before all statements that are being traced.

    >>> is_from_outside([])
    True
    """
    return all(id(value) in old for old in BEFORE_ALL.get())
