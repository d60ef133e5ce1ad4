"""Reading variables that may hold no value."""

from __future__ import annotations

from typing import TypeVar

from autograph.backends.maybe import Maybe
from autograph.backends.protocol import Thunk
from autograph.backends.undefined import Undefined

T = TypeVar("T")
# The types themselves: an object of the user's may answer anything when asked for its class.
_MARKS = (Undefined, Maybe)


def ld(value: T) -> T:
    """Return `value`; raise UnboundLocalError where it stands for a variable without one."""
    if type(value) in _MARKS:
        return value.read()  # type: ignore[attr-defined]
    return value


def ldu(read: Thunk, name: str) -> object:
    """Return `read()`, or an `Undefined` where what is read (`o.x`, `d['k']`) does not exist."""
    try:
        return read()
    except (NameError, AttributeError, LookupError):
        return Undefined(name)
