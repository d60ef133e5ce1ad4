"""Who wants to know of the functions that converted code calls, before they run.

While a statement is staged, or a function traced, what its code may change is watched. Code that
is only called there is met when it is called.
"""

from __future__ import annotations

import weakref
from threading import get_ident
from typing import Any, Protocol


class Listener(Protocol):
    """Something that is told of calls for as long as it lives."""

    thread: int
    recorder: Any

    def note(self, callee: Any) -> None:
        """Take notice of a callable of the user's that is about to run."""


class _Reference(weakref.ref[Any]):
    """A reference that is equal to itself alone: what listens may be a list, compared by items."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__


# Empty while nothing is traced, which is all that a call asks then.
LISTENERS: list[weakref.ref[Any]] = []


def listen(listener: Listener) -> None:
    """Tell `listener` of the calls of its thread from now on."""
    LISTENERS.append(_Reference(listener, _forget))


def _forget(reference: weakref.ref[Any]) -> None:
    try:
        LISTENERS.remove(reference)
    except ValueError:
        pass  # another thread was quicker


def stop(recorder: Any) -> None:
    """Tell no more of calls to those who listen while `recorder`, or a part of it, records.

    An exception that is kept keeps them alive, though nothing is traced any more.
    """
    for reference in list(LISTENERS):
        listener = reference()
        if listener is not None and is_within(listener.recorder, recorder):
            _forget(reference)


def is_within(inner: Any, outer: Any) -> bool:
    """Tell whether a graph is another one or part of it."""
    while inner is not None and inner is not outer:
        inner = inner.outer
    return inner is not None


def tell(callee: object) -> None:
    """Tell of a callable that converted code of this thread is about to call.

    >>> class Names(list):
    ...     thread, recorder = get_ident(), None
    ...     def note(self, callee):
    ...         self.append(callee.__name__)
    >>> names = Names()
    >>> listen(names)
    >>> tell(len)
    >>> names
    ['len']
    """
    thread = get_ident()
    for reference in list(LISTENERS):
        listener = reference()
        if listener is not None and listener.thread == thread:
            listener.note(callee)
