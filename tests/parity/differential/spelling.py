"""Values as plain data, so that two runs can be compared later.

Nothing here calls an operator of a user's class: looking must not change the trace.
"""

from __future__ import annotations

import functools
import re
import types
from collections.abc import Callable, Mapping
from typing import Any

from tests.parity.differential.frames import frames

DEEPEST = 5
_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")
_ATOMS = (bool, int, float, complex, bytes, type(None), type(Ellipsis), range)
_SUSPENDED = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)
_VIEWS = (type({}.keys()), type({}.values()), type({}.items()))


def spelled(value: Any, depth: int = DEEPEST) -> Any:
    """Return a value as nested tuples of types and texts; parts that lie too deep are left out.

    >>> spelled([1, True])
    ('list', (('int', '1'), ('bool', 'True')))
    """
    if depth == 0:
        return "..."
    kind = type(value)
    if kind in _ATOMS:
        return (kind.__name__, repr(value))
    if isinstance(value, str):
        return (kind.__name__, _ADDRESS.sub("0x", str.__str__(value)))
    for wanted, spell in _SPELLINGS:
        if isinstance(value, wanted):
            return spell(value, depth - 1)
    return _object(value, depth - 1)


def _sequence(value: Any, depth: int) -> Any:
    base = list if isinstance(value, list) else tuple
    items = tuple(spelled(item, depth) for item in base.__iter__(value))
    return (type(value).__name__, items)


def _set(value: Any, depth: int) -> Any:
    return (type(value).__name__, tuple(sorted((spelled(item, depth) for item in value), key=repr)))


def _mapping(value: Mapping[Any, Any], depth: int) -> Any:
    items = dict.items(value) if isinstance(value, dict) else value.items()
    return (type(value).__name__, tuple((spelled(k, depth), spelled(v, depth)) for k, v in items))


def _view(value: Any, depth: int) -> Any:
    return (type(value).__name__, tuple(spelled(item, depth) for item in value))


def _error(value: BaseException, depth: int) -> Any:
    seen = (spelled(value.args, depth), _attributes(value, depth))
    return (_name(type(value)), *seen, frames(value.__traceback__))


def _function(value: types.FunctionType, depth: int) -> Any:
    described = (value.__name__, value.__qualname__, value.__doc__, value.__module__)
    held = (value.__defaults__, value.__kwdefaults__, vars(value))
    return ("function", described, value.__code__.co_name, spelled(held, depth))


def _method(value: types.MethodType, depth: int) -> Any:
    return ("method", spelled(value.__func__, depth), spelled(value.__self__, depth))


def _class(value: type, depth: int) -> Any:
    return ("class", _name(value), tuple(map(_name, value.__bases__)), value.__doc__)


def _suspended(value: Any, depth: int) -> Any:
    return (type(value).__name__, value.__name__, value.__qualname__)


def _partial(value: functools.partial[Any], depth: int) -> Any:
    return ("partial", spelled((value.func, value.args, value.keywords), depth))


def _slice(value: slice, depth: int) -> Any:
    return ("slice", spelled((value.start, value.stop, value.step), depth))


def _object(value: Any, depth: int) -> Any:
    return (_name(type(value)), _attributes(value, depth))


def _attributes(value: Any, depth: int) -> Any:
    attributes = getattr(value, "__dict__", None)
    return spelled(attributes, depth) if isinstance(attributes, dict) else ()


def _name(kind: type) -> str:
    return kind.__qualname__


_SPELLINGS: tuple[tuple[Any, Callable[[Any, int], Any]], ...] = (
    ((list, tuple), _sequence),
    ((set, frozenset), _set),
    (dict, _mapping),
    (_VIEWS, _view),
    (BaseException, _error),
    (types.FunctionType, _function),
    (types.MethodType, _method),
    (type, _class),
    (_SUSPENDED, _suspended),
    (functools.partial, _partial),
    (slice, _slice),
)
