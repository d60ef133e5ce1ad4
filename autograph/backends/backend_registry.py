"""The registry of backend classes, and of the classes whose every use is watched."""

from __future__ import annotations

from typing import Any

from autograph.backends.attribute_fallback import answering
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.protocol import ALL_BACKENDS


def register_everywhere(value: object) -> None:
    """Register the class of an object that converted code does not meet by itself."""
    for each in ALL_BACKENDS.keys():
        each.meet(type(value))


def look_into(kind: type) -> None:
    """Make every `Backends` check each value of a type for an owner.

    This costs time on each use of such a value, so it begins with the first one that needs it.
    """
    for each in ALL_BACKENDS.keys():
        each.look_into(kind)


def kinds_looked_into() -> int:
    """Return the number of types that every `Backends` checks; see `look_into`."""
    return max((len(each.looked_into) for each in ALL_BACKENDS.keys()), default=0)


def note_missing(item: PossiblyUnbound, owner: Any, key: Any, is_indexed: bool) -> None:
    """Record that an item or attribute exists on some paths only.

    From now on dicts are checked, and a read of the item raises Python's error.
    """
    if is_indexed:
        item.missing = (KeyError, key)
        look_into(dict)
    else:
        is_class = issubclass(type(owner), type)
        what = f"type object {owner.__name__!r}" if is_class else f"{type(owner).__name__!r} object"
        message = f"{what} has no attribute {key!r}"
        item.missing, item.otherwise = (AttributeError, message), answering(owner, key)
