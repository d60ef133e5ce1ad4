"""The containers that Python compares item by item, and their operators."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from autograph.operators.user_classes import mro_of, own_attributes

SYMBOLS: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_CONTAINERS: tuple[Any, ...] = (tuple, list, dict)
# The function in which `dataclass` generates methods.
_GENERATED = "__create_fn__"
# The prefix of the file names of methods that attrs generates.
_OF_ATTRS = "<attrs generated"
_ORDER_OF_ATTRS = os.path.join("attr", "_make.py")
METHODS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")


def common_kind(left: type, right: type) -> Any:
    """Return the common type of two objects if Python compares their contents, else None.

    The type is tuple, list or dict, or a dataclass or attrs class with the `==` of its fields.

    >>> common_kind(list, list), common_kind(list, tuple)
    (<class 'list'>, None)
    """
    if left is right and compares_fields(left):
        return left
    lines = mro_of(left), mro_of(right)
    base = next((base for base in _CONTAINERS if base in lines[0] and base in lines[1]), None)
    return base if base and _is_pythons(left, base) and _is_pythons(right, base) else None


def compares_fields(kind: type) -> bool:
    """Return whether `dataclass` or attrs has generated the `==` of a class."""
    own = _own_of(kind, "__eq__")
    if "__attrs_attrs__" in own:
        return _file_of(own["__eq__"]).startswith(_OF_ATTRS)
    return "__dataclass_params__" in own and _is_generated(own["__eq__"])


def orders_fields(kind: type) -> bool:
    """Return whether `dataclass` or attrs has generated the `<` of a class."""
    own = _own_of(kind, "__lt__")
    if "__attrs_attrs__" in own:
        return os.path.normpath(_file_of(own["__lt__"])).endswith(_ORDER_OF_ATTRS)
    # `dataclass` refuses a class that has a `__lt__` of its own.
    params = own.get("__dataclass_params__")
    return params is not None and params.order


def _own_of(kind: type, method: str) -> Mapping[str, Any]:
    """Return the attributes of the class that defines a method of a class."""
    owners: Any = (own_attributes(base) for base in mro_of(kind))
    return next((own for own in owners if method in own), {})


def _file_of(method: Any) -> str:
    return str(getattr(getattr(method, "__code__", None), "co_filename", ""))


def _is_generated(method: Any) -> bool:
    code = getattr(method, "__code__", None)
    if code is None or code.co_filename != "<string>":
        return False
    # Before 3.11 code has no qualified name, and all code without a file counts as generated.
    return str(getattr(code, "co_qualname", _GENERATED)).startswith(_GENERATED)


def compared_parts(value: Any) -> Iterable[Any]:
    """Return the items, values or fields by which Python compares an object; else none."""
    kind = type(value)
    for base, parts in ((tuple, tuple.__iter__), (list, list.__iter__), (dict, dict.values)):
        if base in mro_of(kind):
            return parts(value)
    return fields_of(value) if compares_fields(kind) else ()


def fields_of(value: Any) -> tuple[Any, ...]:
    """Return the fields of a dataclass or attrs instance that `==` compares."""
    own = _own_of(type(value), "__eq__")
    if "__attrs_attrs__" in own:
        fields = [(each.name, each.eq_key) for each in own["__attrs_attrs__"] if each.eq]
        return _keyed(value, fields)
    return _compared_fields(value, own)


def ordering_fields_of(value: Any) -> tuple[Any, ...]:
    """Return the fields of a dataclass or attrs instance that `<` compares."""
    own = _own_of(type(value), "__lt__")
    if "__attrs_attrs__" in own:
        fields = [(each.name, each.order_key) for each in own["__attrs_attrs__"] if each.order]
        return _keyed(value, fields)
    return _compared_fields(value, own)


def _compared_fields(value: Any, own: Mapping[str, Any]) -> tuple[Any, ...]:
    fields = own["__dataclass_fields__"].values()
    return tuple([getattr(value, field.name) for field in fields if field.compare])


def _keyed(value: Any, fields: Iterable[tuple[str, Any]]) -> tuple[Any, ...]:
    parts = ((getattr(value, name), key) for name, key in fields)
    return tuple([part if key is None else key(part) for part, key in parts])


def _is_pythons(kind: type, base: type) -> bool:
    return kind is base or all(getattr(kind, name) is getattr(base, name) for name in METHODS)
