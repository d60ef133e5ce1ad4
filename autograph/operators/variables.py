"""Reads of variables that may be unbound."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from types import FunctionType, MemberDescriptorType
from typing import Any, TypeVar, cast

import numpy as np

from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.protocol import Backends, Thunk
from autograph.backends.undefined import Undefined, free_message
from autograph.operators.frames import frames_of_call, user_frames
from autograph.operators.user_classes import class_attribute, own_attributes
from runtime.core.stored_attributes import stored_attributes

T = TypeVar("T")
# Compared by `type()`: a user's object may give anything for its class.
_MARKS = (Undefined, PossiblyUnbound)


def ld(value: T) -> T:
    """Return `value`; raise Python's error if it is the mark of an unbound variable."""
    if type(value) in _MARKS:
        return _read(value)  # type: ignore[arg-type,return-value]
    return value


def _read(mark: Undefined) -> object:
    try:
        return mark.read()
    except UnboundLocalError:
        if not _is_free(mark.name):
            raise
    raise NameError(free_message(mark.name))


def _is_free(name: str) -> bool:
    """Return whether a variable is a free variable of the user's function that reads it."""
    _, frame = next(user_frames(sys._getframe(1)))
    return name in frames_of_call(frame)[-1].f_code.co_freevars


def make_load_operand(backends: Backends) -> Callable[[T], T]:
    """Return an operator that reads a variable and dispatches its value, in one type check."""
    known = backends.by_type

    def load_operand(value: T) -> T:
        if id(type(value)) in known:
            return value
        return backends.operand(ld(value))

    return load_operand


def attribute_owner(owner: T, name: str) -> T:
    """Return `owner`, after a check that an attribute exists: it is deleted, or `+=` reads it.

    >>> attribute_owner([1], "size")
    [1]
    """
    try:
        stored = object.__getattribute__(owner, "__dict__")
    except AttributeError:
        return owner
    mark = stored.get(name)
    if type(mark) is PossiblyUnbound:
        setter = type.__setattr__ if isinstance(owner, type) else object.__setattr__
        setter(owner, name, ld(mark))
    return owner


class _Delegate:
    """Access to the attributes of the values behind a stand-in, and not to the stand-in's own."""

    __slots__ = ("_stand_in",)

    def __init__(self, stand_in: object) -> None:
        object.__setattr__(self, "_stand_in", stand_in)

    def __getattr__(self, name: str) -> object:
        stand_in: Any = object.__getattribute__(self, "_stand_in")
        return type(stand_in).__getattr__(stand_in, name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(object.__getattribute__(self, "_stand_in"), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(object.__getattribute__(self, "_stand_in"), name)


def delegate(owner: object) -> object:
    """Return an owner for the access to an attribute whose name stand-ins have themselves.

    >>> delegate([1])
    [1]
    """
    return _Delegate(owner) if "objects_behind" in own_attributes(type(owner)) else owner


# Special attributes whose values only a run may know.
_KNOWN_LATE = frozenset(("__dict__", "__cause__", "__context__", "__suppress_context__"))


def make_special_attribute(backends: Backends) -> Callable[[Any, str], object]:
    """Return an operator that reads a special attribute, a name that stand-ins have themselves.

    >>> make_special_attribute(Backends(()))(len, "__name__")
    'len'
    """

    def special_attribute(owner: Any, name: str) -> object:
        if "objects_behind" in own_attributes(type(owner)):
            return owner.attribute(name)
        found = getattr(owner, name)
        backend = backends.recording() if name in _KNOWN_LATE else None
        return found if backend is None else backend.call("namespace", (owner, found), {})

    return special_attribute


def make_shape_owner(backends: Backends) -> Callable[[object], object]:
    """Return an operator that returns the owner of the attribute `shape`."""

    def shape_owner(value: object) -> object:
        backend = backends.of(value)
        return value if backend is None else backend.call("shape_owner", (value,), {})

    return shape_owner


def make_add_operand(backends: Backends) -> Callable[[T], T]:
    """Return an operator that reads `value` in `x += value`.

    A list stays itself: a stand-in for it has an `__radd__`, which Python must not call.
    """

    def add_operand(value: T) -> T:
        if issubclass(type(value), list):
            return value
        value = backends.operand(ld(value))
        backend = backends.of(value)
        return value if backend is None else backend.call("add_operand", (value,), {})

    return add_operand


def make_right_operand(backends: Backends) -> Callable[..., object]:
    """Return an operator that reads the right operand in `x -= value`, or `o.x -= value`."""

    def right_operand(value: object, target: object, name: str | None = None) -> object:
        if name is not None:
            target = _stored(target, name)
        backend = backends.recording() if type(target) in (np.ndarray, deque) else None
        return value if backend is None else backend.call("right_operand", (target, value), {})

    return right_operand


def _stored(owner: object, name: str) -> object:
    """Return the stored value of an attribute; None if code computes it."""
    # `inspect.getattr_static` fails for a class whose bases are not known yet.
    kind = owner if isinstance(owner, type) else type(owner)
    found = stored_attributes(owner).get(name, class_attribute(kind, name))
    return found.__get__(owner) if type(found) is MemberDescriptorType else found


def bound(variable: Thunk, value: T) -> T:
    """Bind the variable that a thunk reads, a free variable or a global one; return the value.

    >>> def f():
    ...     y = 1
    ...     return bound(lambda: y, 2), y
    >>> f()
    (2, 2)
    """
    function = cast(FunctionType, variable)
    if function.__closure__:
        function.__closure__[0].cell_contents = value
    else:
        function.__globals__[function.__code__.co_names[0]] = value
    return value


def ldu(read: Thunk, name: str) -> object:
    """Return `read()`; a mark if the variable or place (`o.x`, `d['k']`) has no value."""
    try:
        return read()
    except (NameError, AttributeError, LookupError):
        return Undefined(name)
