"""Detects changes of lists, dicts and other structures that are arguments of a traced function.

A trace runs the Python function once, so `d["a"] = x + 1` would change the caller's dict in the
first call and in no later one. The function gets copies of its arguments and must not change them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from autograph.backends.graph.source.source_location import SourceLocation
from autograph.conversion.rules import function_behind
from autograph.errors import ArgumentMutationError
from autograph.functions.effect_analysis.state_uses import line_of_change
from runtime import nest


class ArgumentWatch:
    """The arguments of one traced call, with their contents before it.

    Args:
        arguments: the parameters' names, with the function's arguments.
    """

    def __init__(self, arguments: Iterable[tuple[str, object]]) -> None:
        self._before = [(name, value, _items(value)) for name, value in arguments]

    def check(self, function_name: str, python_function: Callable[..., object]) -> None:
        """Raise an ArgumentMutationError if the function has changed an argument.

        Args:
            function_name: the name of the function, with its parameters, for the error.
            python_function: the user's callable, in which the line of the change is searched.
        """
        changed = [name for name, value, before in self._before if _differ(before, _items(value))]
        if not changed:
            return
        names = ", ".join(repr(name) for name in changed)
        first = next(value for name, value, _ in self._before if name == changed[0])
        copied = type(first).__name__ if _is_flat(first) else "copy.deepcopy"
        raise ArgumentMutationError(
            f"{function_name} should not modify its Python input arguments, and changed {names}: "
            f"modifying a copy is allowed, as of {changed[0]} = {copied}({changed[0]})",
            _place(python_function, changed[0]),
        )


def _place(python_function: Callable[..., object], name: str) -> SourceLocation | None:
    """Return the location of a change of a parameter's value, or else of the function's `def`."""
    function = function_behind(python_function)
    if function is None:
        return None
    code = function.__code__
    line = line_of_change(code, name) or code.co_firstlineno
    return SourceLocation(code.co_filename, line, code.co_name)


def _is_flat(value: Any) -> bool:
    """Return whether a value is a list, dict or set in which a shallow copy shares no container."""
    if type(value) not in (list, dict, set):
        return False
    parts = value.values() if isinstance(value, dict) else value
    return not any(nest.is_nested(part) for part in parts)


def _items(value: Any) -> list[object]:
    """Return the containers and leaves of a structure, and the keys of dicts, in order."""
    if isinstance(value, set):
        return [value, *value]
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
