"""Parameters of which a function changes the list or dict, itself or in what it calls.

def note(log, x): log.append(x)
def f(x, log=[]): note(log, x)          `log` of both
"""

from __future__ import annotations

from inspect import getattr_static
from types import FunctionType, MethodType
from typing import Any

from autograph.backends.graph.watching.watched import function_inside
from autograph.function.resolved_names import UNKNOWN, instructions_of, uses_in
from autograph.function.uses import READING, line_of_change

_DEEPEST = 4


def changes_parameter(function: FunctionType, name: str, depth: int = 0) -> bool:
    """Tell whether a function may change what it is given for a parameter.

    A function that it calls counts as given all that it reads.

    >>> def note(log, x):
    ...     y = x + 1
    ...     log.append(y)
    >>> def f(x, log, names):
    ...     note(log, len(names))
    >>> changes_parameter(note, "log"), changes_parameter(note, "x")
    (True, False)
    """
    if line_of_change(function.__code__, name) is not None:
        return True
    instructions = instructions_of(function.__code__)
    if depth > _DEEPEST or not any(e.opname in READING and e.argval == name for e in instructions):
        return False
    return any(
        changes_parameter(each, parameter, depth + 1)
        for each in _called(function)
        for parameter in each.__code__.co_varnames[: _number_of_parameters(each)]
        if each is not function
    )


def _number_of_parameters(function: FunctionType) -> int:
    return function.__code__.co_argcount + function.__code__.co_kwonlyargcount


def _called(function: FunctionType) -> list[FunctionType]:
    """Return the user's functions that the code of one names, and methods of objects it names."""
    found = dict[int, FunctionType]()
    uses = uses_in([function])
    holders = [type(use.value) for use in uses if use.kind != "attribute"]
    methods = [getattr_static(each, use.name, None) for use in uses for each in holders]
    for named in (*(use.value for use in uses if use.value is not UNKNOWN), *methods):
        value: Any = function_inside(named) or named
        value = value.__func__ if type(value) is MethodType else value
        if type(value) is FunctionType:
            found[id(value)] = value
    return list(found.values())
