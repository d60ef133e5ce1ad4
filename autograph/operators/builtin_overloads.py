"""Overloads of builtins that Python starts, and a backend continues at the first value it owns.

`getattr` and `hasattr` read attributes that exist only on some paths of staged code. The argument
of `max` may be a generator of tensors, and `key` may return some; the backend continues with the
items so far and the remaining ones.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.protocol import Backend, Backends
from autograph.operators.comparisons import Comparisons
from autograph.operators.introspection import type_for_caller
from autograph.operators.lazy_filter import filter_overload
from autograph.operators.recording_state import RecordingState
from autograph.operators.special_methods import SpecialMethodOperators
from autograph.operators.string_formatting import StringFormatting

_SEEN_AT_ONCE = (list, tuple)
_NOTHING: Any = object()


def python_overload(function: Callable[..., object], backends: Backends) -> Callable[..., object]:
    """Return the overload of a builtin for arguments that no backend owns.

    >>> python_overload(sorted, Backends(()))([2, 1])
    [1, 2]
    """
    if function in (builtins.any, builtins.all):
        return _any_all(function, backends)
    if function in (builtins.max, builtins.min, builtins.sorted):
        return _max_min_sorted(function, backends)
    if function in (builtins.bool, builtins.float, builtins.int, builtins.len):
        return SpecialMethodOperators(backends).builtin(function)
    if function in (builtins.ascii, builtins.format, builtins.repr, builtins.str):
        return _format_overload(function, StringFormatting(backends))
    if function is builtins.getattr:
        return _getattr_overload(backends)
    if function is builtins.hasattr:
        return has_attribute
    if function is builtins.filter:
        return filter_overload(backends)
    if function is builtins.type:
        return type_for_caller
    if function is math.fsum:
        return _fsum(function, backends)
    return function


def must_be_python(function: Callable[..., object], backends: Backends) -> Callable[[], bool]:
    """Return a test whether Python's own builtin must be called: no tensor can occur.

    Then no frames of this package are between the builtin and the functions that it calls.
    """
    if function not in (builtins.max, builtins.min, builtins.sorted):
        return lambda: False
    staging = RecordingState(backends).staging
    return lambda: not staging()


def _any_all(function: Callable[..., object], backends: Backends) -> Callable[..., object]:
    by, name = function is builtins.any, function.__name__

    def decide(*args: Any, **kwargs: Any) -> object:
        if backends.recorder() is None or len(args) != 1 or kwargs:
            return function(*args, **kwargs)
        items = iter(args[0])
        for item in items:
            backend = backends.of(item)
            if backend is not None:
                return backend.call(name, (chain([item], items),), {})
            if bool(item) is by:
                return by
        return not by

    return decide


def _format_overload(
    function: Callable[..., object], texts: StringFormatting
) -> Callable[..., object]:
    def formatted(*args: Any, **kwargs: Any) -> object:
        # A container is formatted by Python; a backend may format its items.
        shown = (texts.text(args[0]), *args[1:]) if args else args
        return texts.joined(function(*shown, **kwargs))  # type: ignore[arg-type]

    return formatted


def _fsum(function: Callable[..., object], backends: Backends) -> Callable[..., object]:
    def add_up(*args: Any, **kwargs: Any) -> object:
        if backends.recorder() is None or len(args) != 1 or kwargs:
            return function(*args, **kwargs)
        values = list(args[0])
        backend = backends.of_any(values)
        return function(values) if backend is None else backend.call("math.fsum", (values,), {})

    return add_up


def _max_min_sorted(function: Callable[..., object], backends: Backends) -> Callable[..., object]:
    compared, special = Comparisons(backends).inside, SpecialMethodOperators(backends)

    def inside(values: Any) -> Backend | None:
        if special.order(values):
            for value in values:
                backends.register_type(type(value))
            return backends.recording()
        return compared(values)

    def choose(*args: Any, **kwargs: Any) -> object:
        key = kwargs.get("key")
        if backends.recorder() is None or not args:
            return function(*args, **kwargs)
        if key is None and not _is_unseen(args):
            owner = inside(args[0] if len(args) == 1 else args)
            if owner is None:
                return function(*args, **kwargs)
            return owner.call(function.__name__, args, kwargs)
        on = _RecordedTests(args[0] if len(args) == 1 else args, key)
        options = kwargs if key is None else {**kwargs, "key": on.key}
        try:
            return function(on.items(), **options)
        except Exception:
            backend = on.owner(inside)
            if backend is None:
                raise
            return on.hand_over(backend, function.__name__, kwargs)

    return choose


def _is_unseen(args: tuple[Any, ...]) -> bool:
    return len(args) == 1 and not isinstance(args[0], _SEEN_AT_ONCE)


class _RecordedTests:
    """The items and keys that a builtin has consumed before it failed on a value of a backend."""

    def __init__(self, values: Any, key: Callable[[Any], object] | None) -> None:
        self._rest = iter(values)
        self._key = key
        self._seen: list[object] = []
        self._keys: list[object] = []

    def items(self) -> Iterator[object]:
        for item in self._rest:
            self._seen.append(item)
            yield item

    def key(self, item: object) -> object:
        assert self._key is not None
        self._keys.append(self._key(item))
        return self._keys[-1]

    def owner(self, inside: Callable[..., Backend | None]) -> Backend | None:
        return inside(self._seen if self._key is None else self._keys)

    def hand_over(self, backend: Backend, name: str, kwargs: dict[str, Any]) -> object:
        values = [*self._seen, *self._rest]
        if self._key is None:
            return backend.call(name, (values,), kwargs)
        made = iter(self._keys)
        unmade = self._key

        def key(item: object) -> object:
            for value in made:
                return value
            return unmade(item)

        return backend.call(name, (values,), {**kwargs, "key": key})


def _getattr_overload(backends: Backends) -> Callable[..., object]:
    """Return a `getattr` for attributes that exist only on some paths."""

    def get_attribute(*args: Any, **kwargs: Any) -> object:
        value = getattr(*args, **kwargs)
        if type(value) is not PossiblyUnbound:
            return value
        backend = backends.of(value.defined)
        if len(args) < 3 or backend is None:
            return value.read()
        if value.fallback is not None:
            return value.read_or(args[2])
        return backend.call("either", (value, args[2]), {})

    return get_attribute


def has_attribute(*args: Any, **kwargs: Any) -> object:
    """Return `hasattr(owner, name)`: a tensor if only a run knows."""
    if kwargs or [type(each) for each in args[1:]] != [str]:
        return hasattr(*args, **kwargs)  # raises Python's error
    owner, name = args
    value = getattr(owner, name, _NOTHING)
    return value.is_present() if type(value) is PossiblyUnbound else value is not _NOTHING
