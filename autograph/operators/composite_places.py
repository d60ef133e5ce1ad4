"""Composite places: `o.v` and `d['k']` as storage that statements read and write.

Staging a statement reads the places that its bodies assign, restores them, and assigns the results.
That is right only for a place that stores a value. A property, a descriptor, or a `__setattr__` or
`__setitem__` of the user's would run more often than in Python.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np

from autograph.backends.attribute_fallback import is_class_attribute
from autograph.backends.backend_registry import record_missing
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.undefined import StoredElsewhere, Undefined
from autograph.operators.user_classes import class_attribute, is_of_package, mro_of
from runtime.core.stored_attributes import stored_attributes

_MARKS = (Undefined, PossiblyUnbound, StoredElsewhere)
_MISSING = object()
_OURS = ("autograph", "runtime", "numpy")
_HOOKS = ("__getattribute__", "__setattr__", "__delattr__")
_ITEM_HOOKS = ("__getitem__", "__setitem__", "__delitem__")
_DESCRIPTOR_HOOKS = ("__get__", "__set__", "__delete__")


class CompositePlace:
    """The place at the end of a path of steps from an object.

    >>> from types import SimpleNamespace
    >>> o = SimpleNamespace(d={"k": 1})
    >>> place = CompositePlace(o, (AttributeStep("d"), ItemStep("k")))
    >>> place.value = 2
    >>> place.value, o.d
    (2, {'k': 2})
    """

    HOLDS_FOR_TRACE = True

    __slots__ = ("_owner", "_steps")

    def __init__(self, owner: object, steps: tuple[AttributeStep | ItemStep, ...]) -> None:
        self._owner = owner
        self._steps = steps

    @property
    def value(self) -> object:
        """The value in the place; `StoredElsewhere` if it stores none itself.

        Raises:
            AttributeError, LookupError: the place has no value.
        """
        owner = self._owner
        if type(owner) is PossiblyUnbound:
            return StoredElsewhere((owner.value,), ())
        for step in self._steps:
            if (elsewhere := step.code_of(owner)) is not None:
                return elsewhere
            owner = step.read(owner)
        return owner

    @value.setter
    def value(self, value: object) -> None:
        if type(value) is StoredElsewhere or type(self._owner) in _MARKS:
            return  # Change detection covers the object that a variable holds on some paths.
        owner = self._owner
        for step in self._steps:
            if step.code_of(owner) is not None:
                return
            if step is not self._steps[-1]:
                try:
                    owner = step.read(owner)
                except (AttributeError, LookupError):
                    if type(value) is Undefined:
                        return  # The path does not exist.
                    raise
        if type(value) is Undefined:
            self._steps[-1].clear(owner)
        else:
            self._steps[-1].write(owner, value)


@dataclass(unsafe_hash=True, repr=False)
class AttributeStep:
    """The step from `o` to `o.name`."""

    name: str

    def code_of(self, owner: object) -> StoredElsewhere | None:
        """Return the objects and the user's code behind the attribute; None if it is stored."""
        if (elsewhere := _stood_for(owner)) is not None:
            return elsewhere
        kind = type(owner)
        hooks = _users_functions(kind, _HOOKS)
        found = class_attribute(kind, self.name, _MISSING)
        if isinstance(found, property):
            if is_of_package(type(found), "runtime"):
                # The assignment of a `Variable` is an op of the graph.
                return StoredElsewhere((), ())
            behind = (found.fget, found.fset, found.fdel)
            functions = (*filter(_is_users, behind), *hooks)
            return StoredElsewhere((owner,), functions) if functions else None
        if class_attribute(type(found), "__set__") is class_attribute(type(found), "__delete__"):
            return StoredElsewhere((owner,), hooks) if hooks else None
        users = _users_functions(type(found), _DESCRIPTOR_HOOKS)
        return StoredElsewhere((owner, found), (*users, *hooks)) if users or hooks else None

    def read(self, owner: Any) -> object:
        """Return the stored attribute; raise AttributeError if none is stored."""
        if type(owner) in _MARKS or self._is_computed(owner):
            raise AttributeError(self.name)
        return getattr(owner, self.name)

    def _is_computed(self, owner: Any) -> bool:
        if self.name in stored_attributes(owner):
            return False
        if is_class_attribute(owner, self.name):
            return True
        found = class_attribute(type(owner), self.name, _MISSING)
        if found is _MISSING:
            return bool(_users_functions(type(owner), ("__getattr__",)))
        return type(class_attribute(type(found), "__get__")) is FunctionType

    def write(self, owner: object, value: object) -> None:
        """Store a value."""
        if type(value) is PossiblyUnbound:
            record_missing(value, owner, self.name, is_indexed=False)
        setattr(owner, self.name, value)

    def clear(self, owner: object) -> None:
        """Remove the value from `owner`."""
        try:
            delattr(owner, self.name)
        except (AttributeError, TypeError):
            pass  # it has no value


@dataclass(unsafe_hash=True, repr=False)
class ItemStep:
    """The step from `d` to `d[key]`."""

    key: Any

    def code_of(self, owner: object) -> StoredElsewhere | None:
        """Return the objects and the user's code behind the item; None if it is stored."""
        if (elsewhere := _stood_for(owner)) is not None:
            return elsewhere
        if type(owner) is list:
            # Change detection covers a list as a whole, since it may grow in the statement.
            return StoredElsewhere((owner,), ())
        if issubclass(type(owner), np.ndarray) or is_of_package(type(owner), *_OURS):
            # A tensor is immutable: its place gets another one. An array is covered as a whole.
            return StoredElsewhere((), ())
        users = _users_functions(type(owner), _ITEM_HOOKS)
        return StoredElsewhere((owner,), users) if users else None

    def read(self, owner: Any) -> object:
        """Return the stored item; raise LookupError if there is none."""
        if dict not in mro_of(type(owner)):
            return owner[self.key]
        # `owner[key]` may call `__missing__`.
        value = dict.get(owner, self.key, _MISSING)
        if value is _MISSING:
            raise KeyError(self.key)
        return value

    def write(self, owner: Any, value: object) -> None:
        """Store a value."""
        if type(value) is PossiblyUnbound:
            record_missing(value, owner, self.key, is_indexed=True)
        owner[self.key] = value

    def clear(self, owner: Any) -> None:
        """Remove the value from `owner`."""
        if dict in mro_of(type(owner)) and self.key in owner.keys():
            del owner[self.key]


def _stood_for(owner: object) -> StoredElsewhere | None:
    """Return the objects behind a stand-in, to which assignments go; None for other values."""
    behind: Any = class_attribute(type(owner), "objects_behind")
    return None if behind is None else StoredElsewhere(behind(owner), ())


def _users_functions(kind: type, names: tuple[str, ...]) -> tuple[object, ...]:
    """Return the user's functions that Python finds in a class under these names."""
    return tuple(filter(_is_users, (class_attribute(kind, name) for name in names)))


def _is_users(function: object) -> bool:
    if type(function) is not FunctionType:
        return False
    return (function.__module__ or "").partition(".")[0] not in _OURS
