"""Reading variables that may hold no value."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from autograph.backends.maybe import Maybe
from autograph.backends.protocol import Backends, Thunk
from autograph.backends.undefined import Undefined

T = TypeVar("T")
# The types themselves: an object of the user's may answer anything when asked for its class.
_MARKS = (Undefined, Maybe)


def ld(value: T) -> T:
    """Return `value`; raise UnboundLocalError where it stands for a variable without one."""
    if type(value) in _MARKS:
        return value.read()  # type: ignore[attr-defined]
    return value


def seeing(backends: Backends) -> Callable[[T], T]:
    """Return what reads a variable and meets the value, in one look at its type."""
    known = backends.by_type

    def seen(value: T) -> T:
        if type(value) in known:
            return value
        return backends.met(ld(value))

    return seen


def ldu(read: Thunk, name: str) -> object:
    """Return `read()`, or an `Undefined` where what is read (`o.x`, `d['k']`) does not exist."""
    try:
        return read()
    except (NameError, AttributeError, LookupError):
        return Undefined(name)
