"""Snapshots of values, independent of later changes of the objects."""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from runtime.core.stored_attributes import stored_attributes
from runtime.core.tensor import EagerTensor, SymbolicTensor
from runtime.state.variable import Variable

_DEEPEST = 12
_MOST_ITEMS = 10_000
_PLAIN = (bool, int, float, complex, str, bytes, type(None))
_CONTAINERS = (list, deque, tuple, dict, set, frozenset)
_BY_NAME = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType, type)

OnTensor = Callable[[SymbolicTensor], Any]


@dataclass(frozen=True, eq=False)
class ValueSnapshot:
    """A snapshot of a value.

    Attributes:
        kind: `tensor`, `array`, `python` (a number, a string, None), `object` (only its name is
            known), or the name of the type of a container or object.
        content: an array, the Python value, the name, or the parts by name.
        has_names: whether its parts are attributes, as in objects and named tuples.
    """

    kind: str
    content: Any
    has_names: bool = False

    def __str__(self) -> str:
        return _cut(self.text())

    def text(self) -> str:
        """Return the value as text."""
        if self.kind in ("tensor", "array"):
            return _array_text(self.content)
        if self.kind == "python":
            return repr(self.content)
        if self.kind == "object":
            return f"<{self.content}>"
        return _parts_text(self.kind, self.content)


def is_a(value: Any, kinds: type | tuple[type, ...]) -> bool:
    """Return whether a value has one of the types; it runs no code of the value.

    >>> is_a(True, int)
    True
    """
    return issubclass(type(value), kinds)


def _symbolic_snapshot(tensor: SymbolicTensor) -> Any:
    return ValueSnapshot("object", "symbolic tensor")


def snapshot_of(
    value: Any, on_tensor: OnTensor = _symbolic_snapshot, depth: int = 0
) -> ValueSnapshot:
    """Return a snapshot of a value.

    Args:
        value: any value.
        on_tensor: returns the snapshot of a symbolic tensor.
        depth: the number of containers and objects around it.

    Example:
        >>> print(snapshot_of([1, 2.5, "a"]))
        [1, 2.5, 'a']
    """
    if is_a(value, SymbolicTensor):
        made: ValueSnapshot = on_tensor(value)
        return made
    if is_a(value, EagerTensor):
        return ValueSnapshot("tensor", np.array(value._array))
    if is_a(value, Variable):
        return ValueSnapshot("tensor", np.array(value.numpy()))
    if is_a(value, (np.ndarray, np.generic)):
        return ValueSnapshot("array", np.array(value))
    if type(value) in _PLAIN:
        return ValueSnapshot("python", value)
    if depth > _DEEPEST or is_a(value, _BY_NAME):
        return ValueSnapshot("object", _name_of(value))
    return _snapshot_of_parts(value, on_tensor, depth + 1)


def _snapshot_of_parts(value: Any, on_tensor: OnTensor, depth: int) -> ValueSnapshot:
    kind = type(value).__name__
    try:
        parts = _parts_of(value)
    except Exception:
        parts = None  # code of the value raised an exception
    if parts is None or len(parts) > _MOST_ITEMS:
        return ValueSnapshot("object", kind)
    inner = {name: snapshot_of(part, on_tensor, depth) for name, part in parts.items()}
    return ValueSnapshot(kind, inner, _has_names(value))


def _parts_of(value: Any) -> Mapping[Any, Any] | None:
    """Return the parts of a container or object by name, None for a value without parts."""
    if is_a(value, tuple) and _has_names(value):
        return dict(zip(type(value)._fields, value))
    if is_a(value, (list, deque, tuple)):
        return dict(enumerate(value))
    if is_a(value, dict):
        return {_key(key): part for key, part in value.items()}
    if is_a(value, (set, frozenset)):
        return dict(enumerate(sorted(value, key=_sort_key)))
    if is_dataclass(value):
        return {each.name: getattr(value, each.name, None) for each in fields(value)}
    own = stored_attributes(value)
    return dict(own) if type(own) is dict and own else None


def _has_names(value: Any) -> bool:
    return hasattr(type(value), "_fields") or not is_a(value, _CONTAINERS)


def _key(key: Any) -> Any:
    return key if type(key) in (*_PLAIN, tuple) else _name_of(key)


def _sort_key(value: Any) -> tuple[str, str]:
    return type(value).__name__, repr(value) if type(value) in _PLAIN else _name_of(value)


def _name_of(value: Any) -> str:
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    return str(name) if is_a(name, str) else type(value).__name__


def _array_text(array: np.ndarray) -> str:
    if array.dtype == object:
        return f"string {_texts(array.tolist())!r}"
    items = np.array2string(array, separator=", ", threshold=8, edgeitems=2)
    return f"{array.dtype.name} {' '.join(items.split())}"


def _texts(items: Any) -> Any:
    """Return the strings of a tensor's bytes."""
    if is_a(items, list):
        return [_texts(each) for each in items]
    return items.decode(errors="replace") if is_a(items, bytes) else items


def _parts_text(kind: str, parts: Mapping[Any, ValueSnapshot]) -> str:
    texts = [part.text() for part in parts.values()]
    if kind in ("list", "deque"):
        items = f"[{', '.join(texts)}]"
        return items if kind == "list" else f"deque({items})"
    if kind == "tuple":
        return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"
    pairs = zip(parts, texts)
    if kind == "dict":
        return f"{{{', '.join(f'{name!r}: {text}' for name, text in pairs)}}}"
    return f"{kind}({', '.join(f'{name}={text}' for name, text in pairs)})"


def _cut(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."
