"""The attributes that an object stores itself, read without the user's code."""

from __future__ import annotations

from typing import Any


def stored_attributes(value: object) -> dict[str, Any]:
    """Return the dict of the attributes that an object stores; an empty one if it stores none.

    A `__getattribute__` of the user's class does not run, and what a class offers under the name
    `__dict__` beside a dict, as the read-only view of a class is, is not one of stored attributes.

    >>> class Box: ...
    >>> box = Box()
    >>> box.size = 3
    >>> stored_attributes(box), stored_attributes(4)
    ({'size': 3}, {})
    """
    try:
        held = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}
    return held if issubclass(type(held), dict) else {}
