"""Item assignment, `x[i] = v` and `x[i] += v`, as generated code calls it."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.backends.protocol import Backend, Backends
from autograph.operators.containers import Containers, bounds_of, parts_of
from autograph.operators.tracebacks import drop_internal_frames
from autograph.operators.user_classes import class_attribute
from autograph.operators.variables import make_right_operand

_IN_PLACE: dict[str, Callable[[Any, Any], Any]] = {
    "+=": operator.iadd,
    "-=": operator.isub,
    "*=": operator.imul,
    "@=": operator.imatmul,
    "/=": operator.itruediv,
    "//=": operator.ifloordiv,
    "%=": operator.imod,
    "**=": operator.ipow,
    "<<=": operator.ilshift,
    ">>=": operator.irshift,
    "|=": operator.ior,
    "^=": operator.ixor,
    "&=": operator.iand,
}


class SliceOperators:
    """Item assignment that returns the new value of the variable: tensors are immutable."""

    def __init__(self, backends: Backends) -> None:
        self._owner, self._of_any = backends.owner, backends.of_any
        self._of, self._operand, self._recorder = backends.of, backends.operand, backends.recorder
        self._items = Containers(backends)
        self._right_operand = make_right_operand(backends)

    def is_rebound(self, target: object) -> bool:
        """Return whether an item assignment to `target` gives its variable another value."""
        backend = self._owner(target)
        return backend is not None and _rebinds(backend, target)

    def set_item(self, value: object, target: object, index: object) -> object:
        """Execute `target[index] = value` and return the variable's new value.

        The value comes first because Python evaluates it first.
        """
        try:
            backend = self._owner(target) or self._index_owner(target, index, value)
            if backend is not None:
                return backend.set_item(target, index, value)
            target[index] = value  # type: ignore[index]
            return target
        except BaseException as error:
            drop_internal_frames(error)
            raise

    def updates_in_place(
        self, target: object, index: object, owner: object = None, key: object = None
    ) -> bool:
        """Return whether Python's own `target[index] += v` is correct.

        It is not if `target` is a copy: the item of `owner` under a `key` of a backend.
        """
        if not self._items.is_plain_item(owner, key) or self._picks(owner, key):
            return False
        if isinstance(target, np.ndarray):
            return self._recorder() is None
        backend = self._owner(target)
        if backend is not None:
            return not _rebinds(backend, target) and backend.stands_in(target) is None
        if self._recorder() is not None and _may_be_array(target, index):
            return False
        return self._index_owner(target, index) is None

    def same_container(self, new: object, old: object, name: str) -> None:
        """Check the result of `set_item` for a variable that cannot be assigned here.

        Raises:
            AutographError: if the variable would need another value.
        """
        backend = self._owner(new)
        if new is not old and backend is not None and _rebinds(backend, new):
            backend.call("refuse_rebinding", (name,), {})

    def update_item(
        self, target: object, index: object, symbol: str, value: Callable[[], object]
    ) -> object:
        """Do `target[index] += value()`, or another `symbol`; return the variable's new value."""
        try:
            old = self._items.get_item(self._operand(target), index)
            new = _IN_PLACE[symbol](old, self._right_operand(value(), old))
            if new is old and type(target) in (list, dict) and type(index) is not slice:
                return target  # The item was changed in place; a slice was a copy.
            return self.set_item(new, target, index)
        except BaseException as error:
            drop_internal_frames(error)
            raise

    def _picks(self, owner: object, key: object) -> bool:
        backend = self._of(owner)
        return backend is not None and bool(backend.call("reads_copy", (owner, key), {}))

    def put_item(self, owner: object, key: object, value: object) -> None:
        """Execute `owner[key] = value`, the write-back of a changed item of `owner`."""
        try:
            backend = self._of(owner) or self._index_owner(owner, key)
            if backend is None:
                is_there = self._owner(value)
                if not (
                    isinstance(value, np.ndarray) or (is_there and not _rebinds(is_there, value))
                ):
                    owner[key] = value  # type: ignore[index]
            else:
                backend.call("put_item", (owner, key, value), {})
        except BaseException as error:
            drop_internal_frames(error)
            raise

    def _index_owner(self, target: object, index: object, value: object = None) -> Backend | None:
        """Return the backend that owns the index of an item assignment.

        For an array it may also be the owner of the value: arrays cannot hold owned values.
        """
        if isinstance(target, (np.ndarray, np.flatiter)):
            return self._of_any((value, *parts_of(index))) if self._recorder() is not None else None
        return self._of_any(bounds_of(index)) if type(target) in (list, dict) else None

    slice_ = staticmethod(slice)


def _rebinds(backend: Backend, target: object) -> bool:
    """Return whether an item assignment to an owned value gives its variable another value."""
    return bool(backend.call("rebinds", (target,), {}))


def _may_be_array(target: object, index: object) -> bool:
    """Return whether an item may be a NumPy array, whose elements only a graph may know.

    >>> _may_be_array([1, np.zeros(2)], 0), _may_be_array({"a": np.zeros(2)}, "a")
    (False, True)
    """
    if type(target) not in (list, dict):
        # Unknown before the test, which runs once.
        return class_attribute(type(target), "__getitem__") is not None
    try:
        return isinstance(target[index], np.ndarray)  # type: ignore[index]
    except (LookupError, TypeError):
        return False
