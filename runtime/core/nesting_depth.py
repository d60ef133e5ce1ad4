"""Detects containers that contain themselves or nest deeper than Python's stack allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from types import FunctionType, ModuleType
from typing import Any

from runtime.core.stored_attributes import stored_attributes
from runtime.errors import ArgumentValueError

# A shallower value did not cause a stack overflow by itself.
_DEEP = 100
_LEAVES = (str, bytes, int, float, complex, type, FunctionType, ModuleType)


def depth_error(
    value: Any,
    what: str,
    error: Exception,
    kind: type[Exception] = ArgumentValueError,
    attributes: bool = False,
) -> Exception:
    """Return the error to raise instead of one that occurred while traversing `value`.

    Args:
        value: nested containers.
        what: its name in the message.
        kind: the class of the new error.
        attributes: whether attributes of objects were traversed too.

    Returns:
        The same error if `value` is not deeply nested: the stack was nearly full before.

    >>> loop = [1]
    >>> loop.append(loop)
    >>> depth_error(loop, "the structure", RecursionError())
    ArgumentValueError('the structure holds itself (a list), so that it has no end: ...')
    """
    found = _deepest(value, attributes)
    if isinstance(found, int):
        if found < _DEEP:
            return error
        return kind(
            f"{what} nests {found:,} levels deep, which is more than can be gone through: keep it "
            "flat, such as in one list"
        )
    return kind(
        f"{what} holds itself (a {type(found).__name__}), so that it has no end: give what is "
        f"needed of it{', or its class a __trace_key__()' if attributes else ''}"
    )


def _deepest(value: Any, attributes: bool) -> Any:
    """Return the nesting depth of a value, or a container that contains itself."""
    deepest, around, done = 0, {id(value)}, set[int]()
    path: list[tuple[Any, Iterator[Any]]] = [(value, _children(value, attributes))]
    while path:
        parent, rest = path[-1]
        for child in rest:
            if id(child) in around:
                return child
            if id(child) not in done and not isinstance(child, _LEAVES):
                around.add(id(child))
                path.append((child, _children(child, attributes)))
                break
        else:
            deepest = max(deepest, len(path))
            path.pop()
            around.discard(id(parent))
            done.add(id(parent))
    return deepest


def _children(value: Any, attributes: bool) -> Iterator[Any]:
    if isinstance(value, Mapping):
        return iter(list(value.values()))
    if isinstance(value, (list, tuple, set, frozenset)):
        return iter(list(value))
    is_traversed = attributes or is_dataclass(value)
    return iter(list(stored_attributes(value).values()) if is_traversed else ())
