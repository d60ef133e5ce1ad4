"""Inspection of the user's classes without running user code, but for `shown_parts`.

`kind.__mro__` would run a `__getattribute__` of the metaclass.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType
from typing import Any

_MRO: Any = type.__dict__["__mro__"]
_FLAGS: Any = type.__dict__["__flags__"]
# CPython's Py_TPFLAGS_HEAPTYPE: a `class` statement, or a call of `type`, has made the class.
_IS_MADE_WHEN_RUN = 1 << 9
_ATTRIBUTES: Any = type.__dict__["__dict__"]
# Packages of array classes whose methods are Python code.
_OF_ARRAYS = ("jax", "jaxlib")
_BOUND_LATER = (staticmethod, classmethod)


def mro_of(kind: type) -> tuple[type, ...]:
    """Return a class and its bases, in the order in which Python searches them for attributes.

    >>> mro_of(bool)
    (<class 'bool'>, <class 'int'>, <class 'object'>)
    """
    # The `__mro__` of a few Python types, such as that of `code.co_positions()`, is None.
    return _MRO.__get__(kind) or (kind,)


def own_attributes(kind: type) -> Mapping[str, object]:
    """Return the attributes that a class itself defines.

    >>> "real" in own_attributes(int), "real" in own_attributes(bool)
    (True, False)
    """
    return _ATTRIBUTES.__get__(kind) or {}


def class_attribute(kind: type, name: str, otherwise: object = None) -> object:
    """Return the attribute that Python finds in a class; `otherwise` if there is none.

    >>> class_attribute(bool, "real") is own_attributes(int)["real"], class_attribute(bool, "size")
    (True, None)
    """
    for each in mro_of(kind):
        own = own_attributes(each)
        if name in own:
            return own[name]
    return otherwise


def is_made_in_python(kind: type) -> bool:
    """Return whether a class was made at run time, as all user classes are.

    >>> is_made_in_python(list)
    False
    """
    return bool(_FLAGS.__get__(kind) & _IS_MADE_WHEN_RUN)


def is_of_package(kind: type, *packages: str) -> bool:
    """Return whether a class was defined in one of some packages, without asking the class.

    >>> import collections
    >>> is_of_package(collections.Counter, "collections"), is_of_package(list, "collections")
    (True, False)
    """
    return str(own_attributes(kind).get("__module__")).partition(".")[0] in packages


def is_equal_to_itself_alone(kind: type) -> bool:
    """Return whether objects of a class compare by identity: it inherits `==` from `object`.

    >>> class Box: ...
    >>> is_equal_to_itself_alone(Box), is_equal_to_itself_alone(type("Name", (str,), {}))
    (True, False)
    """
    kinds = [each for each in mro_of(kind) if each is not object]
    return not any(name in own_attributes(each) for each in kinds for name in ("__eq__", "__ne__"))


def special_method(value: object, *names: str) -> Callable[..., Any] | None:
    """Return the special method that Python would call, bound; None if it is not Python code.

    None for an array of JAX, which backends compute with, although its methods are Python code.

    Args:
        value: an object.
        names: the names that Python looks up, in this order.

    >>> class Box:
    ...     def __len__(self):
    ...         return 3
    >>> special_method(Box(), "__bool__", "__len__")(), special_method([1], "__len__")
    (3, None)
    """
    kind = type(value)
    if not is_made_in_python(kind) or is_of_package(kind, *_OF_ARRAYS):
        return None
    owns = [own_attributes(each) for each in mro_of(kind)]
    found = next((own[name] for name in names for own in owns if name in own), None)
    return found.__get__(value) if type(found) is FunctionType else None


def is_a(value: object, kinds: tuple[type, ...]) -> bool:
    """Return whether an object is of one of these types; unlike `isinstance`, run no user code."""
    return not set(kinds).isdisjoint(mro_of(type(value)))


def functions_of(kind: type) -> Iterator[FunctionType]:
    """Yield the functions in a class body, those of properties included."""
    for value in own_attributes(kind).values():
        behind = (value.fget, value.fset, value.fdel) if isinstance(value, property) else (value,)
        for each in behind:
            function = getattr(each, "__func__", None) if is_a(each, _BOUND_LATER) else each
            if type(function) is FunctionType:
                yield function


def implicitly_called(kind: type) -> Iterator[FunctionType]:
    """Yield the functions of a class that Python may call without a call in the source."""
    for name, value in own_attributes(kind).items():
        if isinstance(value, property):
            yield from (f for f in (value.fget, value.fset, value.fdel) if type(f) is FunctionType)
        elif type(value) is functools.cached_property and type(value.func) is FunctionType:
            yield value.func
        elif type(value) is FunctionType and name.startswith("__"):
            yield value


def type_name(value: object) -> str:
    """Return the name of a value's type, as the user knows it.

    >>> type_name([1]), type_name(None)
    ('list', 'NoneType')
    """
    kind = type(value)
    if not is_of_package(kind, "autograph"):
        return kind.__name__
    if "stands_for" in dir(kind):
        return type_name(value.stands_for)  # type: ignore[attr-defined]
    if hasattr(kind, "objects_behind"):
        words = dict.fromkeys(map(type_name, value.objects_behind()))  # type: ignore[attr-defined]
        return " or ".join(words)
    name = getattr(kind, "name", None)
    return name if isinstance(name, str) else "value of the graph"


# -- generated reprs -------------------------------------------------------------------------------


def shown_parts(value: Any) -> dict[str, Any]:
    """Return the fields that a generated `__repr__` prints; none if `__repr__` is the user's.

    These are the fields of a dataclass or attrs instance, or of a named tuple. A class of a backend
    may define them itself.

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
    if not described or not _is_generated(own["__repr__"]):
        return {}
    names = (field.name for field in described if field.repr)
    return {name: getattr(value, name) for name in names if hasattr(value, name)}


def _is_generated(method: Any) -> bool:
    code = getattr(inspect.unwrap(method), "__code__", None)
    return code is not None and code.co_filename.startswith(("<string>", "<attrs generated"))
