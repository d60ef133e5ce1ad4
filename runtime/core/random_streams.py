"""The random streams of iterators, and the scopes of Functions' calls that count random ops."""

from __future__ import annotations

from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any, Generic, TypeVar

from runtime.core.name_scopes import name_scope

_Item = TypeVar("_Item")
_STREAMS: ContextVar[dict[object, Any] | None] = ContextVar("streams_around", default=None)
_CALL: ContextVar[object] = ContextVar("counting_call", default=None)


class call_scope(name_scope):
    """A context manager for a call of a Function: no scopes, and a new count of random ops.

    The ops may be recorded in the graph of another Function, which has its own count.
    """

    def __init__(self) -> None:
        super().__init__("")

    def __enter__(self) -> str:
        self._call = _CALL.set(object())
        return super().__enter__()

    def __exit__(self, *exception: object) -> None:
        """Leave the call; an exception propagates."""
        super().__exit__(*exception)
        _CALL.reset(self._call)


def current_call_token() -> object:
    """Return the token of the innermost call of a Function, None outside of all calls."""
    return _CALL.get()


class RandomStreamIterator(Generic[_Item]):
    """An iterator that has its own random streams for the random nodes of functions.

    So each iteration over a dataset draws the same numbers in its functions, as in TensorFlow.

    >>> sum(RandomStreamIterator(iter([1, 2])))
    3
    """

    def __init__(self, items: Iterator[_Item]) -> None:
        self.items = items
        self._streams: dict[object, Any] = {}

    def __iter__(self) -> RandomStreamIterator[_Item]:
        return self

    def __next__(self) -> _Item:
        token = _STREAMS.set(self._streams)
        try:
            return next(self.items)
        finally:
            _STREAMS.reset(token)


class using_streams:
    """A context manager in which random nodes draw from the given streams instead of their own."""

    def __init__(self, streams: dict[object, Any]) -> None:
        self._streams = streams

    def __enter__(self) -> None:
        self._token = _STREAMS.set(self._streams)

    def __exit__(self, *exception: object) -> None:
        """Leave the streams; an exception propagates."""
        _STREAMS.reset(self._token)


def enclosing_streams() -> dict[object, Any] | None:
    """Return the streams that random nodes draw from now; None if they use their own."""
    return _STREAMS.get()
