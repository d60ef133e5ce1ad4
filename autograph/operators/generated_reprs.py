"""Which objects Python itself shows field by field, because a decorator wrote their `__repr__`."""

from __future__ import annotations

import inspect
from typing import Any

from autograph.operators.user_classes import mro_of, own_attributes


def shown_parts(value: Any) -> dict[str, Any]:
    """Return what `repr` shows of an object by name; nothing where `__repr__` is the user's own.

    Of a dataclass or attrs instance, and of a named tuple, that is the fields; a value that a
    backend has made says so itself.

    >>> shown_parts(3)
    {}
    """
    kind: Any = type(value)
    owners: Any = (own_attributes(base) for base in mro_of(kind))
    own: Any = next((own for own in owners if "__repr__" in own), {})
    if "shown_parts" in own_attributes(kind):
        return dict(value.shown_parts())
    if tuple in mro_of(kind):
        is_named = "_fields" in own and own["__repr__"].__module__ == "collections"
        return dict(zip(kind._fields, value)) if is_named else {}
    described = own.get("__attrs_attrs__") or own.get("__dataclass_fields__", {}).values()
    if not described or not _is_written(own["__repr__"]):
        return {}
    names = (field.name for field in described if field.repr)
    return {name: getattr(value, name) for name in names if hasattr(value, name)}


def _is_written(method: Any) -> bool:
    code = getattr(inspect.unwrap(method), "__code__", None)
    return code is not None and code.co_filename.startswith(("<string>", "<attrs generated"))
