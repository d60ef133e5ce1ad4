"""`a in b`, `a[i]`, and dict methods as generated code calls them.

A backend computes them if it owns an operand, or a part of it. Compiled code first tests whether
Python's own operators apply. The dict methods are `d.update(e)`, with items of `e` that exist only
on some paths, and `d.get(key)` with a tensor as key.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import BuiltinFunctionType
from typing import Any

import numpy as np

from autograph.backends.protocol import Backend, Backends
from autograph.operators.comparisons import Comparisons
from autograph.operators.special_methods import NO_METHOD, SpecialMethodOperators
from autograph.operators.tracebacks import call_with_user_errors
from autograph.operators.user_classes import special_method

_SCANNED = (list, tuple)
_IN_PARTS = frozenset((slice, list, tuple))


class Containers:
    """`in` and subscripts for values that a backend owns, alone or inside a list or tuple.

    >>> Containers(Backends(())).is_plain_test(1, [1, 2])
    True
    """

    def __init__(self, backends: Backends) -> None:
        self._backends = backends
        self._inside = Comparisons(backends).inside
        self._special = SpecialMethodOperators(backends)
        self._python, self._of = backends.is_python, backends.of

    def is_plain_test(self, item: object, container: object) -> bool:
        """Return whether Python computes `item in container`."""
        if self._special.defines_membership(container):
            return False
        return self._tester(item, container) is None

    def is_plain_item(self, container: object, index: object) -> bool:
        """Return whether Python computes `container[index]`."""
        if self._python(index) and not self._has_owned_part(container, index):
            return True
        if _indexes_itself(container):
            return True
        if self._takes_slice(container, index):
            return False
        # Tensors and stand-ins take tensors as indices. A list that was an item of another one may
        # not have been replaced by its stand-in yet.
        return self._of(container) is not None and self._backends.operand(container) is container

    def contains(self, item: object, container: object) -> object:
        """Return `item in container`."""
        answer = self._special.contains(item, container)
        if answer is not NO_METHOD:
            return answer
        if self._of(container) is None:
            container = self._special.iterable(container)
        backend = self._tester(item, container)
        if backend is None:
            return item in container  # type: ignore[operator]
        return backend.call("contains", (item, container), {}, self.contains)

    def lacks(self, item: object, container: object) -> object:
        """Return `item not in container`."""
        found = self.contains(item, container)
        backend = self._of(found)
        return not found if backend is None else backend.logical_not(found)

    def get_item(self, container: object, index: object) -> object:
        """Return `container[index]`."""
        backend = self._of(index) or self._part_owner(container, index)
        if backend is not None and self._takes_slice(container, index):
            return backend.get_item(container, index)
        if backend is None or self._of(container) is not None or _indexes_itself(container):
            return self._backends.operand(container)[index]  # type: ignore[index]
        return backend.get_item(container, index)

    def delete_item(self, container: object, index: object) -> None:
        """Execute `del container[index]`."""
        backend = self._of(index) or self._part_owner(container, index)
        if backend is None or type(container) is not list:
            del container[index]  # type: ignore[attr-defined]
        else:
            backend.call("list.__delitem__", (container, index), {})

    def _takes_slice(self, container: object, index: object) -> bool:
        """Return whether the backend of a value, not the value itself, takes a slice of it."""
        backend = self._of(container) if type(index) is slice else None
        return backend is not None and bool(backend.call("takes_slice", (container, index), {}))

    def _tester(self, item: object, container: object) -> Backend | None:
        backend = self._of(item) or self._of(container)
        if backend is None and type(container) in _SCANNED and self._backends.recorder():
            backend = self._inside([item, *container])  # type: ignore[misc]
            if backend is None and self._special.compare([item, *container]):  # type: ignore[misc]
                return self._backends.recording()
        return backend

    def _has_owned_part(self, container: object, index: object) -> bool:
        return type(index) in _IN_PARTS and self._part_owner(container, index) is not None

    def _part_owner(self, container: object, index: object) -> Backend | None:
        """Return the backend of a part of an index: a slice, or a list or tuple for an array."""
        if type(index) is slice:
            return self._backends.of_any(bounds_of(index))
        if type(index) in _SCANNED and isinstance(container, np.ndarray):
            return self._backends.of_any(parts_of(index))
        return None


def bounds_of(index: Any) -> tuple[object, ...]:
    """Return the parts of a slice; another index as the only part.

    >>> bounds_of(slice(1, 5)), bounds_of(3)
    ((1, 5, None), (3,))
    """
    return (index.start, index.stop, index.step) if type(index) is slice else (index,)


def parts_of(index: Any) -> tuple[object, ...]:
    """Return the parts of an index into an array, those of slices and lists in it as well.

    >>> parts_of((slice(1, 5), [0, 2], 3))
    (1, 5, None, 0, 2, 3)
    """
    if isinstance(index, _SCANNED):
        return tuple([part for each in index for part in parts_of(each)])
    return bounds_of(index)


def _indexes_itself(container: object) -> bool:
    """Return whether the user's code defines the subscript."""
    return special_method(container, "__getitem__") is not None


# -- dict updates ----------------------------------------------------------------------------------


def updating(f: BuiltinFunctionType, backends: Backends) -> Callable[..., object]:
    """Return the replacement of `f`, the method `update` of a dict.

    >>> d = {}
    >>> updating(d.update, Backends(())) == d.update
    True
    """
    if backends.recorder() is None:
        return f

    def update(*others: Any, **more: Any) -> object:
        backend = backends.of_any(each for each in others if isinstance(each, dict))
        if backend is None:
            return f(*others, **more)
        return backend.call("update", (f.__self__, *others), more)

    return partial(call_with_user_errors, update)


def getting(f: BuiltinFunctionType, backends: Backends) -> Callable[..., object]:
    """Return the replacement of `f`, the method `get` of a dict.

    >>> d = {}
    >>> getting(d.get, Backends(())) == d.get
    True
    """
    if backends.recorder() is None:
        return f

    def get(*key: Any, **options: Any) -> object:
        if options:
            return f(*key, **options)
        # Not `len(key)`: `len` may be a converted function here.
        backend = backends.of(key[0]) if key and not key[2:] else None
        return f(*key) if backend is None else backend.call("get", (f.__self__, *key), {})

    return partial(call_with_user_errors, get)
