"""The structure of an object after a call: its contents, and the paths that lead to one object."""

from __future__ import annotations

from typing import Any

import runtime as rt


class Node:
    """An object that contains a value, a list with it, and whatever else it is given."""

    def __init__(self, value: object, **more: object) -> None:
        self.value, self.row = value, [value]
        vars(self).update(more)


def chain(value: object) -> Node | None:
    """Return the first of some objects, of which each has the next one in `p`."""
    found = None
    for _ in range(4):
        found = Node(value, p=found)
    return found


def observed_structure(*roots: object) -> object:
    """Return the values that some roots lead to, and the ways that lead to one container."""
    ways: dict[int, list[str]] = {}
    values = [_value(root, f"{number}", ways) for number, root in enumerate(roots)]
    return values, sorted(each for each in ways.values() if len(each) > 1)


def _value(value: Any, way: str, ways: dict[int, list[str]]) -> object:
    if isinstance(value, rt.Tensor):
        return value.numpy().tolist()
    parts = _parts(value)
    if parts is None:
        return value
    if type(value) is not tuple:
        ways.setdefault(id(value), []).append(way)
        if len(ways[id(value)]) > 1:
            return ways[id(value)][0]
    return {key: _value(part, f"{way}.{key}", ways) for key, part in parts.items()}


def _parts(value: Any) -> dict[Any, Any] | None:
    if isinstance(value, (list, tuple)):
        return dict(enumerate(value))
    if isinstance(value, dict):
        return value
    return vars(value) if isinstance(value, Node) else None
