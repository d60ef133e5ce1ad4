"""Registration of types in all `Backends` of the process; checks of values by contents."""

from __future__ import annotations

from typing import Any

from autograph.backends.attribute_fallback import fallback_of
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.protocol import ALL_BACKENDS


def register_type_of(value: object) -> None:
    """Register the type of an object in every `Backends`, as a use of it by converted code does."""
    for each in ALL_BACKENDS.keys():
        each.register_type(type(value))


def check_contents_of(kind: type) -> None:
    """Let every `Backends` check the contents of each value of a type.

    A check costs time on each use of such a value, so it starts with the first value that needs it.
    """
    for each in ALL_BACKENDS.keys():
        each.check_contents_of(kind)


def checked_type_count() -> int:
    """Return the number of types whose values are checked by contents."""
    return max((len(each.checked_types) for each in ALL_BACKENDS.keys()), default=0)


def record_missing(item: PossiblyUnbound, owner: Any, key: Any, is_indexed: bool) -> None:
    """Record that an item or attribute exists on some paths only.

    From now on a read of it raises Python's error, unless the class computes the attribute; for an
    item, dicts are checked.
    """
    if is_indexed:
        item.missing = (KeyError, key)
        check_contents_of(dict)
    else:
        is_class = issubclass(type(owner), type)
        what = f"type object {owner.__name__!r}" if is_class else f"{type(owner).__name__!r} object"
        message = f"{what} has no attribute {key!r}"
        item.missing, item.fallback = (AttributeError, message), fallback_of(owner, key)
