"""Whether a function may reach itself by the names it mentions: a guess, made before it runs."""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from autograph.backends.graph.program.per_code_cache import PerCodeCache

_MOST_FUNCTIONS = 50
_known = PerCodeCache[bool]()
_names_in = PerCodeCache[frozenset[str]]()


def refers_to_itself(function: FunctionType) -> bool:
    """Tell whether `function`, or one it mentions, mentions it; a method, by its name alone.

    >>> def down(n):
    ...     return n if n <= 0 else down(n - 1)
    >>> refers_to_itself(down), refers_to_itself(lambda n: n)
    (True, False)
    """
    code = function.__code__
    return _known.get(code, lambda: _reaches(function))


def _reaches(function: FunctionType) -> bool:
    wanted, waiting = _identity(function.__code__), [function]
    reached: dict[tuple[object, ...], FunctionType] = {}
    while waiting and len(reached) < _MOST_FUNCTIONS:
        current = waiting.pop()
        names = _names(current.__code__)
        if function.__code__.co_name in names:
            return True
        for mentioned in _functions_named(current, names):
            identity = _identity(mentioned.__code__)
            if identity == wanted:
                return True
            if identity not in reached:
                reached[identity] = mentioned
                waiting.append(mentioned)
    return False


def _identity(code: CodeType) -> tuple[object, ...]:
    # A function and its converted form stand at the same place of the same file.
    return code.co_filename, code.co_firstlineno, code.co_name


def _names(code: CodeType) -> frozenset[str]:
    """Return the names in a function and in those defined in it."""
    nested = [each for each in code.co_consts if isinstance(each, CodeType)]
    return _names_in.get(
        code,
        lambda: frozenset((*code.co_names, *code.co_freevars)).union(*map(_names, nested)),
    )


def _functions_named(function: FunctionType, names: frozenset[str]) -> Iterator[FunctionType]:
    for name in names:
        yield from _function_in(function.__globals__.get(name), function)
    for cell in function.__closure__ or ():
        try:
            yield from _function_in(cell.cell_contents, function)
        except ValueError:
            continue


def _function_in(value: Any, beside: FunctionType) -> Iterator[FunctionType]:
    # A Function or wrapper has the function itself inside.
    for attribute in ("python_function", "__wrapped__"):
        if type(value) is not FunctionType and attribute in getattr(value, "__dict__", ()):
            value = value.__dict__[attribute]
    if type(value) is FunctionType and value.__module__ == beside.__module__:
        yield value
