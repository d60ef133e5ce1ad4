"""The contents of mutable objects, read and restored without running the user's code."""

from __future__ import annotations

import gc
import weakref
from collections import OrderedDict, UserDict, deque
from collections.abc import Iterable, Iterator, MutableMapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from threading import local
from types import (
    BuiltinFunctionType,
    CellType,
    FunctionType,
    MappingProxyType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any

import numpy as np

import runtime as rt
from autograph.backends.backend_registry import record_missing
from autograph.backends.graph.arrays.staged_array import (
    KNOWN,
    elements,
    is_array,
    is_from_outside,
    is_view,
    put_elements,
)
from autograph.backends.graph.objects.opaque_state import ContentsSnapshot, OpaqueObject
from autograph.backends.graph.source.library_boundary import given_attributes
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.undefined import Undefined
from autograph.operators.user_classes import is_a, is_of_package, mro_of, own_attributes

Contents = dict[object, object]

# Callables whose attributes are not watched as those of other objects are.
_CALLABLE = (FunctionType, MethodType, BuiltinFunctionType, partial)
_DEFINED = (FunctionType, property, staticmethod, classmethod, MemberDescriptorType)
_UNWATCHED = (type, ModuleType, *_CALLABLE)
_CONTAINERS: tuple[Any, ...] = (OrderedDict, dict, list, set, deque)
# Types of references to one other object.
_REFERENCES: tuple[Any, ...] = (weakref.ref, *weakref.ProxyTypes, MappingProxyType)
_NOTHING = object()
# The types of most items, which are checked first, for speed: nothing in them can change.
LEAF_TYPES = frozenset({int, float, bool, str, type(None), rt.SymbolicTensor, rt.EagerTensor})
_OURS = ("autograph", "runtime", "numpy")


class IteratorPosition:
    """The position of an iterator.

    Attributes:
        at: the number of items taken so far, an int or a tensor that stands for one; a variant for
            an iterator of a dataset.
    """

    __slots__ = ("at",)

    def __init__(self) -> None:
        self.at: Any = 0


class Positioned:
    """An iterator with a position, which may take its items from other such iterators."""

    position: IteratorPosition

    def positions(self) -> tuple[object, ...]:
        """Return the objects that change when an item is taken: positions, and other iterators."""
        return (self.position,)


@dataclass(slots=True, eq=False, repr=False)
class StoredAttributes:
    """The attributes that an object stores; for a list, dict or set, those besides its items.

    For an object of these packages, such as a layer: the attributes that the user has given it.
    """

    owner: object


@dataclass(slots=True, eq=False, repr=False)
class ClassVariables:
    """The attributes of a class, except the methods and others that its statement defines."""

    owner: type


@dataclass(slots=True, eq=False, repr=False)
class Globals:
    """Some of the variables of a module."""

    namespace: dict[str, object]
    names: frozenset[str]


class Member:
    """The access key of a set's item, or of a dict's key: the object itself."""

    __slots__ = ("item",)

    def __init__(self, item: object) -> None:
        self.item = item

    def __eq__(self, other: object) -> bool:
        return type(other) is Member and other.item is self.item

    def __hash__(self) -> int:
        return id(self.item)

    def found_in(self, container: Any) -> object:
        """Return the object if the container has it, without running the user's code.

        Raises:
            LookupError: the container does not have it.
        """
        base = next(each for each in (set, frozenset, dict) if each in mro_of(type(container)))
        if any(each is self.item for each in base.__iter__(container)):
            return self.item
        raise LookupError("it is no longer a member")


def variables_of(module: ModuleType) -> frozenset[str]:
    """Return the names of a module's variables, without definitions and imports."""
    defined = (FunctionType, BuiltinFunctionType, type, ModuleType)
    return frozenset(
        name
        for name, value in vars(module).items()
        if not (name.startswith("__") or is_a(value, defined))
    )


def contents_of(value: Any) -> Contents | None:
    """Return the contents of an object by index, key or name; None if it is not watched."""
    if type(value) is CellType:
        return _cell_contents(value)
    if type(value) is OpaqueObject:
        return {"": value.snapshot()}
    if is_array(value):
        return _array_contents(value)
    if type(value) is Globals:
        return {n: value.namespace[n] for n in sorted(value.names) if n in value.namespace}
    if type(value) is StoredAttributes:
        is_ours = is_of_package(type(value.owner), *_OURS)
        return given_attributes(value.owner) if is_ours else _attributes(value.owner)
    if type(value) is ClassVariables:
        own = own_attributes(value.owner).items()
        return {k: v for k, v in own if not (_is_dunder(k) or is_a(v, _DEFINED))}
    if is_a(value, _REFERENCES):
        referent = _referent(value)
        return {} if referent is None else {"()": referent}
    base = _container(type(value))
    if base is list or base is deque:
        return dict(enumerate(base.__iter__(value)))
    if base is set:
        return {item: item for item in set.__iter__(value)}
    if base is not None:
        return {k: v for k, v in base.items(value) if type(v) is not Undefined}
    if is_a(value, _UNWATCHED) or (
        is_of_package(type(value), *_OURS) and type(value) not in (rt.TensorArray, IteratorPosition)
    ):
        return None
    return _attributes(value)


def _array_contents(value: Any) -> dict[object, object] | None:
    """Return the elements of an array of the trace as its one entry; a view has no entry.

    The result is None outside of a trace, and for an array from outside.
    """
    if type(value) is np.ndarray and (KNOWN.get() is None or is_from_outside(value)):
        return None
    return {} if is_view(value) else {"": elements(value)}


def _referent(value: Any) -> object:
    """Return the object of a weak reference or proxy; None if it is gone."""
    if is_a(value, (MappingProxyType,)):
        return next(iter(gc.get_referents(value)), None)
    if is_a(value, (weakref.ref,)):
        return weakref.ref.__call__(value)
    try:
        return value.__init__.__self__  # a proxy passes attribute reads on
    except (ReferenceError, AttributeError):
        return None


def put_contents(value: Any, contents: Contents) -> None:
    """Give an object contents in the form of `contents_of`, such as its former ones."""
    base = _container(type(value))
    if is_a(value, _REFERENCES):
        return  # a reference cannot be changed
    if type(value) is OpaqueObject:
        value.restore(contents[""])  # type: ignore[arg-type]
    elif is_array(value):
        put_elements(value, contents[""])
    elif type(value) is CellType:
        _put_into_cell(value, contents)
    elif base is list:
        list.__setitem__(value, slice(None), contents.values())
    elif base is set:
        set.clear(value)
        set.update(value, contents)
    elif base is deque:
        deque.clear(value)
        deque.extend(value, contents.values())
    elif base is not None:
        base.clear(value)
        for key, item in contents.items():
            base.__setitem__(value, key, item)
    else:
        for key in (contents_of(value) or {}).keys() - contents.keys():
            _remove(value, key)
        for key, item in contents.items():
            put_entry(value, key, item)


def _put_into_cell(cell: CellType, contents: Contents) -> None:
    if contents:
        cell.cell_contents = contents["cell"]
    else:
        del cell.cell_contents


def _remove(value: object, key: Any) -> None:
    """Remove an attribute or a global variable."""
    slot = _slot(value, key)
    if type(value) is ClassVariables:
        type.__delattr__(value.owner, key)
    elif slot is None:
        del _attribute_dict(value)[key]
    else:
        slot.__delete__(_owner(value))


def users_classes(value: object) -> list[type]:
    """Return the class of an object and its bases, as `users_classes_of` does."""
    return users_classes_of(type(value))


def users_classes_of(kind: type) -> list[type]:
    """Return a class and its bases, without built-in types and those of these packages.

    A class of a library is among them, also one written in C that has a `__module__`.
    """
    kinds = mro_of(kind)
    return [k for k in kinds if "__module__" in own_attributes(k) and not is_of_package(k, *_OURS)]


def entry_of(value: object, key: Any) -> object:
    """Return the value under a key of an object, an `Undefined` if there is none."""
    found = (contents_of(value) or {}).get(key, _NOTHING)
    return Undefined(str(key)) if found is _NOTHING else found


def item_of(value: Any, key: Any) -> object:
    """Return the value under a key of an object or tuple, without reading the rest.

    Raises:
        LookupError, AttributeError, ValueError: if there is nothing.
    """
    if type(key) is Member:
        return key.found_in(value)
    base: Any = _container(type(value))
    if base is dict or base is OrderedDict:
        return _item_of_dict(base, value, key)
    if base is not None:
        return base.__getitem__(value, key)
    if type(value) is CellType:
        return value.cell_contents
    if type(value) is ClassVariables:
        return own_attributes(value.owner)[key]
    if is_a(value, (tuple,)):
        return tuple.__getitem__(value, key)
    if is_a(value, _REFERENCES):
        return (contents_of(value) or {})[key]
    if type(value) is np.ndarray:
        return value.flat[key]
    slot = _slot(value, key)
    return _attribute_dict(value)[key] if slot is None else slot.__get__(_owner(value))


def _item_of_dict(base: Any, value: Any, key: Any) -> object:
    """Return an item; a missing key stays missing, even if the class would make an item."""
    found = base.get(value, key, _NOTHING)
    if found is _NOTHING:
        raise KeyError(key)
    return found


def remove_entry(value: Any, key: Any) -> None:
    """Remove the value under a key of an object."""
    base: Any = _container(type(value))
    if type(value) is CellType:
        del value.cell_contents
    elif base is not None:
        base.__delitem__(value, key)
    else:
        _remove(value, key)


def put_entry(value: object, key: Any, item: object) -> None:
    """Set the value under a key of an object; remove it if the new value is undefined."""
    base: Any = _container(type(value))
    if type(value) is CellType:
        value.cell_contents = item
        return
    if is_array(value):
        return put_elements(value, item)
    if type(item) is PossiblyUnbound and type(value) is not Globals:
        holder = value.owner if type(value) is ClassVariables else _owner(value)
        record_missing(item, holder, key, base is not None)
    if type(item) is Undefined:
        if key in (contents_of(value) or {}):
            remove_entry(value, key)
    elif base is not None:
        base.__setitem__(value, key, item)
    elif type(value) is ClassVariables:
        type.__setattr__(value.owner, key, item)
    else:
        slot = _slot(value, key)
        if slot is None:
            _attribute_dict(value)[key] = item
        else:
            slot.__set__(_owner(value), item)


def items_in(value: Any) -> Iterator[object]:
    """Return an iterator over the items of a list or deque, of any class."""
    return iter(_container(type(value)).__iter__(value))


def put_items(value: Any, items: Iterable[object]) -> None:
    """Replace the items of a list or deque."""
    put_contents(value, dict(enumerate(items)))


def is_list(value: object) -> bool:
    """Return whether an object is a list or deque, of any class."""
    return _container(type(value)) in (list, deque)


def is_indexed(value: object) -> bool:
    """Return whether an object is a built-in container: its keys are written in brackets."""
    return _container(type(value)) is not None


def is_same_content(before: object, now: object) -> bool:
    """Return whether the value under a key of an object is unchanged."""
    return before is now or (type(before) is ContentsSnapshot and before == now)


def overrides_container_methods(value: object) -> bool:
    """Return whether a list or dict is of a user class that overrides methods, or has attributes.

    A copy would run the user's code, or lose the attributes.
    """
    base = _container(type(value))
    if base is None:
        return MutableMapping in mro_of(type(value)) and type(value) is not UserDict
    if type(value) is base:
        return False
    users = [kind for kind in mro_of(type(value)) if _is_users(kind, base)]
    overridden = any(
        isinstance(item, FunctionType) and hasattr(base, name)
        for kind in users
        for name, item in own_attributes(kind).items()
    )
    return overridden or bool(users and _attributes(value))


def _is_users(kind: type, base: type) -> bool:
    module = own_attributes(kind).get("__module__", "builtins")
    return kind is not base and module not in ("builtins", "collections", "typing")


def _container(kind: type) -> Any:
    """Return the built-in container type that an object's class is, or inherits from."""
    if kind in _CONTAINERS:
        return kind
    line = mro_of(kind)
    return next((each for each in _CONTAINERS if each in line), None)


def _cell_contents(cell: CellType) -> Contents:
    try:
        return {"cell": cell.cell_contents}
    except ValueError:
        return {}


def _attributes(value: object) -> Contents | None:
    """Return the attributes an object stores; None if it can store none."""
    attributes = _attribute_dict(value)
    slots = list(_slots(type(value)))
    if type(attributes) not in (dict, _ContextVariableDict) and not slots:
        return None
    held = {k: v for k, v in (attributes or {}).items() if type(v) is not Undefined}
    for name, slot in slots:
        try:
            held[name] = slot.__get__(value)
        except AttributeError:
            continue
    return held


def _attribute_dict(value: Any) -> Any:
    if type(value) is Globals:
        return value.namespace
    if type(value) is ContextVar:
        return _ContextVariableDict(value)
    if is_a(value, (local,)):  # each thread has its own
        return local.__getattribute__(value, "__dict__")
    try:
        return object.__getattribute__(_owner(value), "__dict__")
    except AttributeError:
        return None


class _ContextVariableDict(dict[str, object]):
    """The value of a context variable, as the attribute `get()`."""

    def __init__(self, variable: ContextVar[object]) -> None:
        super().__init__()
        self._variable = variable
        with suppress(LookupError):
            super().__setitem__("get()", variable.get())

    def __setitem__(self, name: str, value: object) -> None:
        self._variable.set(value)

    def __delitem__(self, name: str) -> None:
        """Do nothing: only the code that has set the variable can reset it."""


def _owner(value: object) -> object:
    return value.owner if type(value) is StoredAttributes else value


def _slot(value: object, name: str) -> Any:
    """Return the slot that stores an attribute outside the `__dict__` of an object, if one does."""
    return dict(_slots(type(_owner(value)))).get(name)


def _slots(kind: type) -> Iterator[tuple[str, Any]]:
    for each in mro_of(kind):
        own = own_attributes(each)
        if "__slots__" in own:
            yield from ((n, a) for n, a in own.items() if type(a) is MemberDescriptorType)


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")
