"""Lists and dicts a traced function was given, watched for changes.

A trace runs the Python function once, so `d["a"] = x + 1` would change the caller's dict in the
first call and in no later one. The function is therefore given copies, which it must not change.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autograph.errors import ArgumentMutationError
from runtime import nest


class ArgumentWatch:
    """The arguments of one traced call, as they were before it.

    Args:
        arguments: the parameters' names with what the function is given for them.
    """

    def __init__(self, arguments: Iterable[tuple[str, object]]) -> None:
        self._before = [(name, value, _items(value)) for name, value in arguments]

    def check(self, function_name: str) -> None:
        """Raise ArgumentMutationError naming the parameters that were changed."""
        changed = [name for name, value, before in self._before if _differ(before, _items(value))]
        if not changed:
            return
        raise ArgumentMutationError(
            f"{function_name} should not modify its Python input arguments: it changed "
            f"{', '.join(repr(name) for name in changed)}. Change a copy instead, and return it."
        )


def _items(value: Any) -> list[object]:
    """List a structure's containers and leaves in order, containers by their type and keys."""
    if not nest.is_nested(value):
        return [value]
    listed: list[object] = [value]
    if isinstance(value, dict):
        listed.extend(value)
        parts: Iterable[Any] = value.values()
    elif isinstance(value, (list, tuple)):
        parts = value
    else:
        parts = _fields(value)
    for part in parts:
        listed.extend(_items(part))
    return listed


def _fields(value: Any) -> Iterable[Any]:
    return vars(value).values() if hasattr(value, "__dict__") else nest.flatten(value)


def _differ(before: list[object], after: list[object]) -> bool:
    return len(before) != len(after) or any(a is not b for a, b in zip(before, after))
