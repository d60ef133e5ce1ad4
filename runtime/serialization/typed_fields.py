"""Typed access to the fields of stored data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

Kind = TypeVar("Kind")


def typed(kind: type[Kind], value: Any, what: str) -> Kind:
    """Return a value that must have exactly a type: True is no int.

    >>> typed(int, True, "a place")
    Traceback (most recent call last):
    ValueError: a place is True, and no int
    """
    if type(value) is not kind:
        raise ValueError(f"{what} is {value!r:.60}, and no {kind.__name__}")
    return value


def text(value: Any, what: str) -> str:
    """Return a text without lone surrogates, which cannot be written."""
    found = typed(str, value, what)
    if not found.isascii():
        found.encode()
    return found


def at(values: Sequence[Kind], place: Any, what: str) -> Kind:
    """Return one of several values by its position, counted from the first.

    >>> at("ab", -1, "a letter")
    Traceback (most recent call last):
    ValueError: a letter has the number -1, and there are 2
    """
    number = typed(int, place, f"the number of {what}")
    if not 0 <= number < len(values):
        raise ValueError(f"{what} has the number {number}, and there are {len(values)}")
    return values[number]
