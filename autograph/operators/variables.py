"""Reading variables that may hold no value."""

from __future__ import annotations

from typing import TypeVar

from autograph.backends.protocol import Thunk
from autograph.backends.undefined import Undefined

T = TypeVar("T")


def ld(value: T) -> T:
    """Return `value`; raise UnboundLocalError where it stands for a variable without one."""
    if isinstance(value, Undefined):
        return value.read()  # type: ignore[return-value]
    return value


def ldu(read: Thunk, name: str) -> object:
    """Return `read()`, or an `Undefined` where what is read (`o.x`, `d['k']`) does not exist."""
    try:
        return read()
    except (NameError, AttributeError, LookupError):
        return Undefined(name)
