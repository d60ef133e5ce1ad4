"""Typed access to the fields of stored data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from runtime.errors import with_article

Kind = TypeVar("Kind")


def typed(kind: type[Kind], value: Any, what: str) -> Kind:
    """Return a value that must have exactly a type: True is no int.

    >>> typed(int, True, "a place")
    Traceback (most recent call last):
    ValueError: a place must be an int, not True
    """
    if type(value) is not kind:
        raise ValueError(f"{what} must be {with_article(kind.__name__)}, not {value!r:.60}")
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
    ValueError: the index of a letter is -1, and there are 2
    """
    number = typed(int, place, f"the index of {what}")
    if not 0 <= number < len(values):
        raise ValueError(f"the index of {what} is {number}, and there are {len(values)}")
    return values[number]
