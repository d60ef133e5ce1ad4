"""`getattr` and `hasattr` for attributes that exist only on some paths of staged code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.protocol import Backends

_NOTHING: Any = object()


def getting_attributes(backends: Backends) -> Callable[..., object]:
    """Return a `getattr` for attributes that exist only on some paths."""

    def found(*args: Any, **kwargs: Any) -> object:
        value = getattr(*args, **kwargs)
        if type(value) is not PossiblyUnbound:
            return value
        backend = backends.of(value.defined)
        if len(args) < 3 or backend is None:
            return value.read()
        if value.fallback is not None:
            return value.read_or(args[2])
        return backend.call("either", (value, args[2]), {})

    return found


def has_attribute(*args: Any, **kwargs: Any) -> object:
    """Return `hasattr(owner, name)`: a tensor if only a run knows."""
    if kwargs or [type(each) for each in args[1:]] != [str]:
        return hasattr(*args, **kwargs)  # raises Python's error
    owner, name = args
    value = getattr(owner, name, _NOTHING)
    return value.is_present() if type(value) is PossiblyUnbound else value is not _NOTHING
