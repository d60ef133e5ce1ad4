"""Which containers Python itself compares item by item, and with which operators."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from autograph.operators.kinds import mro_of, own_attributes

SYMBOLS: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_CONTAINERS: tuple[Any, ...] = (tuple, list, dict)
# The function inside which `dataclass` writes methods.
_GENERATED = "__create_fn__"
METHODS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")


def common_kind(left: type, right: type) -> Any:
    """Return what two objects both are if Python compares what they hold, else None.

    That is tuple, list or dict, or a dataclass with the `==` of its fields.

    >>> common_kind(list, list), common_kind(list, tuple)
    (<class 'list'>, None)
    """
    if left is right and compares_fields(left):
        return left
    lines = mro_of(left), mro_of(right)
    base = next((base for base in _CONTAINERS if base in lines[0] and base in lines[1]), None)
    return base if base and _is_pythons(left, base) and _is_pythons(right, base) else None


def compares_fields(kind: type) -> bool:
    """Tell whether `==` of a class was written by `dataclass`."""
    own = own_attributes(kind)
    return "__dataclass_params__" in own and _is_generated(own.get("__eq__"))


def orders_fields(kind: type) -> bool:
    """Tell whether `<` of a class was written by `dataclass`, too."""
    # That refuses a class that has a `__lt__` of its own.
    params: Any = own_attributes(kind).get("__dataclass_params__")
    return params is not None and params.order


def _is_generated(method: Any) -> bool:
    code = getattr(method, "__code__", None)
    if code is None or code.co_filename != "<string>":
        return False
    # Before 3.11 code has no such name, and what is no file at all is taken for generated.
    return str(getattr(code, "co_qualname", _GENERATED)).startswith(_GENERATED)


def compared_parts(value: Any) -> Iterable[Any]:
    """Return what Python looks at to compare an object: items, values or fields; none of others."""
    kind = type(value)
    for base, parts in ((tuple, tuple.__iter__), (list, list.__iter__), (dict, dict.values)):
        if base in mro_of(kind):
            return parts(value)
    return fields_of(value) if compares_fields(kind) else ()


def fields_of(value: Any) -> tuple[Any, ...]:
    """Return the fields of a dataclass instance that count where it is compared."""
    fields = value.__dataclass_fields__.values()
    return tuple([getattr(value, field.name) for field in fields if field.compare])


def _is_pythons(kind: type, base: type) -> bool:
    return kind is base or all(getattr(kind, name) is getattr(base, name) for name in METHODS)
