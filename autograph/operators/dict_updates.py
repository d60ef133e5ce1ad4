"""`d.update(e)` where items of `e` are there on some paths only, and `d.get(key)` of a tensor."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import BuiltinFunctionType
from typing import Any

from autograph.backends.protocol import Backends
from autograph.operators.tracebacks import call_with_user_errors


def updating(f: BuiltinFunctionType, backends: Backends) -> Callable[..., object]:
    """Return what to call for `f`, the method `update` of a dict.

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
        return backend.builtin("update", (f.__self__, *others), more)

    return partial(call_with_user_errors, update)


def getting(f: BuiltinFunctionType, backends: Backends) -> Callable[..., object]:
    """Return what to call for `f`, the method `get` of a dict.

    >>> d = {}
    >>> getting(d.get, Backends(())) == d.get
    True
    """
    if backends.recorder() is None:
        return f

    def get(*key: Any) -> object:
        # Not `len(key)`: users may put a function of their own in its place.
        backend = backends.of(key[0]) if key and not key[2:] else None
        return f(*key) if backend is None else backend.builtin("get", (f.__self__, *key), {})

    return partial(call_with_user_errors, get)
