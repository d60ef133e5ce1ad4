"""Listeners that are told of the functions that converted code calls; calls that made generators.

While a statement is staged, or a function traced, what its code may change is watched. Code that
is only called there is met when it is called.
"""

from __future__ import annotations

from collections.abc import Mapping
from threading import get_ident
from types import FunctionType, GeneratorType
from typing import Any, Protocol
from weakref import ref

from autograph.operators.tracebacks import drop_internal_frames
from runtime.records import dataclass
from runtime.weak_tables import IdentityTable, dropping


class Listener(Protocol):
    """Something that is told of calls for as long as it lives."""

    thread: int
    recorder: Any

    def note(self, callee: Any) -> None:
        """Take notice of a callable of the user's that is about to run."""


# By identity; empty while nothing is traced, which is all that a call asks then.
LISTENERS: dict[int, ref[Any]] = {}


def listen(listener: Listener) -> None:
    """Tell `listener` of the calls of its thread from now on."""
    LISTENERS[id(listener)] = dropping(listener, LISTENERS, id(listener))


def listeners() -> list[Any]:
    """Return who listens, of all threads."""
    found = [reference() for reference in list(LISTENERS.values())]
    return [each for each in found if each is not None]


def stop(recorder: Any) -> None:
    """Tell no more of calls to those who listen while `recorder`, or a part of it, records.

    An exception that is kept keeps them alive, though nothing is traced any more.
    """
    for listener in listeners():
        if is_within(listener.recorder, recorder):
            LISTENERS.pop(id(listener), None)


def is_within(inner: Any, outer: Any) -> bool:
    """Tell whether a graph is another one or part of it."""
    while inner is not None and inner is not outer:
        inner = inner.outer
    return inner is not None


def has_values(recorder: Any) -> bool:
    """Tell whether a graph has values so far, on which a statement of a loop's may depend.

    Backends without graphs record nothing.

    >>> has_values(None)
    False
    """
    while recorder is not None:
        if getattr(recorder, "nodes", ()) or getattr(recorder, "inputs", ()):
            return True
        recorder = getattr(recorder, "outer", None)
    return False


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
    for listener in listeners():
        if listener.thread == thread:
            listener.note(callee)


@dataclass(frozen=True, slots=True)
class Origin:
    """The call that made a generator.

    Attributes:
        made: the function, converted.
        args: its arguments.
        kwargs: those by name.
    """

    made: FunctionType
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]


_ORIGINS: IdentityTable[Any, Origin] = IdentityTable()


def called(made: FunctionType, /, *args: Any, **kwargs: Any) -> Any:
    """Return the generator that a generator function makes, whose call is noted."""
    try:
        generator = made(*args, **kwargs)
    except BaseException as error:  # of arguments that do not fit
        drop_internal_frames(error)
        raise
    note_origin(generator, made, args, kwargs)
    return generator


def note_origin(
    generator: object, made: FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> None:
    """Note which call made a generator."""
    if type(generator) is GeneratorType:
        _ORIGINS.put(generator, Origin(made, args, kwargs))


def origin_of(generator: object) -> Origin | None:
    """Return the call that made a generator, None if it was not noted."""
    return _ORIGINS.get(generator)
