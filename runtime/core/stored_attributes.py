"""The attributes that an object stores itself, read without the user's code."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

_KINDS = (dict, MappingProxyType)


def stored_attributes(value: object) -> Any:
    """Return the dict of the attributes that an object stores; an empty one if it stores none.

    That of a class is a read-only view. No `__getattribute__` of the user's class runs, and what a
    class offers under the name `__dict__` in place of a dict is not one.

    >>> class Box: ...
    >>> box = Box()
    >>> box.size = 3
    >>> stored_attributes(box), stored_attributes(4), type(stored_attributes(Box)).__name__
    ({'size': 3}, {}, 'mappingproxy')
    """
    try:
        held = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}
    return held if issubclass(type(held), _KINDS) else {}
