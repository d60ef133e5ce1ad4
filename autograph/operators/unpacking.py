"""Unpacking of owned values, whose number of items may be unknown.

    a, (b, *c) = l    ->    a, (b, *c) = ag__.unpack_items(l, (None, (None, "*")))

`[*it]` and `f(*l)` have operators, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, TypeVar

from autograph.backends.protocol import Backends, Pattern
from autograph.operators.special_methods import SpecialMethodOperators
from autograph.operators.variables import ld

T = TypeVar("T")
_PYTHONS = (tuple, list)


def make_unpack_items(backends: Backends) -> Callable[[Any, Pattern], Any]:
    """Return an operator that returns an iterable of the items to assign.

    >>> make_unpack_items(Backends(()))([1, 2], (None, None))
    [1, 2]
    """

    iterable = SpecialMethodOperators(backends).iterable

    def unpack_items(value: Any, pattern: Pattern) -> Any:
        none = "cannot unpack non-iterable NoneType object"
        value = backends.operand(iterable(ld(value), none))
        if backends.recorder() is None:
            return value
        backend = backends.of(value)
        items = value if backend is None else backend.call("unpack_items", (value, pattern), {})
        if not any(type(each) is tuple for each in pattern):
            return items
        if isinstance(items, Iterator):
            # One item more than there are targets makes Python raise its error.
            items = list(islice(items, None if "*" in pattern else len(pattern) + 1))
        return _inside(items, pattern) if type(items) in _PYTHONS else items

    def _inside(items: Any, pattern: Pattern) -> Any:
        """Return the items; those with a pattern of their own are unpacked."""
        parts = pattern
        if "*" in pattern and len(items) >= len(pattern) - 1:
            at = pattern.index("*")
            rest = len(items) - len(pattern) + 1
            parts = (*pattern[:at], *[None] * rest, *pattern[at + 1 :])
        if len(items) != len(parts):
            return items
        return [
            unpack_items(item, part) if type(part) is tuple else item
            for item, part in zip(items, parts)
        ]

    return unpack_items


def make_unpack_each(
    backends: Backends, unpacked: Callable[[Any, Pattern], Any]
) -> Callable[[Any, Pattern], Any]:
    """Return an operator that applies `unpacked` to each item that a comprehension unpacks."""

    def each_unpacked(items: Any, pattern: Pattern) -> Any:
        if backends.recorder() is None or not _may_be_iterable(items):
            return items
        return (unpacked(item, pattern) for item in items)

    return each_unpacked


def _may_be_iterable(value: object) -> bool:
    """Return whether Python can iterate over a value; if it cannot, its own loop says so."""
    kind = type(value)
    return getattr(kind, "__iter__", None) is not None or hasattr(kind, "__getitem__")


def make_star_items(backends: Backends) -> Callable[[T], T]:
    """Return an operator that reads a value whose items go into a display or call: `[*x]`.

    A list stays itself: its dynamic items go into the display.
    """

    iterable = SpecialMethodOperators(backends).iterable

    def star_items(value: Any) -> Any:
        value = iterable(value, "Value after * must be an iterable, not NoneType")
        operand = backends.operand(value)
        if type(value) is list:
            return value
        backend = backends.of(operand)
        return operand if backend is None else backend.call("star_items", (operand,), {})

    return star_items


def make_star_arguments(backends: Backends) -> Callable[[Any, str | None], Any]:
    """Return an operator that reads a value whose items go into a tuple or a call, by position.

    >>> make_star_arguments(Backends(()))([1, 2], "l")
    [1, 2]
    """

    iterable = SpecialMethodOperators(backends).iterable

    def star_arguments(value: Any, text: str | None) -> Any:
        value = backends.operand(iterable(ld(value)))
        backend = backends.of(value)
        return value if backend is None else backend.call("star_arguments", (value, text), {})

    return star_arguments


def make_display(backends: Backends, kind: type) -> Callable[..., Any]:
    """Return an operator for a list or tuple whose display has items of others: `[*l, x]`.

    >>> make_display(Backends(()), list)([1, 2], (3,))
    [1, 2, 3]
    """

    def display(*parts: Any) -> Any:
        operands = [backends.operand(part) for part in parts]
        backend = backends.of_any(operands)
        if backend is None:
            return kind([item for part in operands for item in part])
        return backend.call("display", (kind, operands), {})

    return display
