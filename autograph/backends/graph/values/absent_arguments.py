"""What Python says where a builtin is given None, which a value may be when the graph runs."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Sequence

import runtime as rt
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.operators.user_classes import is_of_package

_NOT_ITERABLE = "'NoneType' object is not iterable"
_NO_INDEX = "'NoneType' object cannot be interpreted as an integer"
_NO_NUMBER = "must be real number, not NoneType"
# How functions of that module are called here.
_MATH = "math."
_WORDS = {
    "len": "object of type 'NoneType' has no len()",
    "abs": "bad operand type for abs(): 'NoneType'",
    "int": "int() argument must be a string, a bytes-like object or a real number, not 'NoneType'",
    "float": "float() argument must be a string or a real number, not 'NoneType'",
    "round": "type NoneType doesn't define __round__ method",
    "range": _NO_INDEX,
    "reversed": "'NoneType' object is not reversible",
    **dict.fromkeys(("all", "any", "enumerate", "iter", "list"), _NOT_ITERABLE),
    **dict.fromkeys(("sorted", "sum", "tuple"), _NOT_ITERABLE),
}


def present_arguments(name: str, args: Sequence[object]) -> Sequence[object]:
    """Return the arguments of a builtin, after a check of those that may be None.

    >>> present_arguments("len", ([1, 2],))
    ([1, 2],)
    """
    words = _NO_NUMBER if name.startswith(_MATH) else _WORDS.get(name)
    if words is None or not any(isinstance(each, OptionalValue) for each in args):
        return args
    return [each.needed(words) if isinstance(each, OptionalValue) else each for each in args]


def python_builtin(name: str, args: Sequence[object]) -> Callable[..., object] | None:
    """Return Python's own builtin if it takes the arguments as they are now, else None."""
    is_python = not any(_is_the_graph_s(each) for each in args)
    owner = math if name.startswith(_MATH) else builtins
    return getattr(owner, name.removeprefix(_MATH)) if is_python else None


def _is_the_graph_s(value: object) -> bool:
    leaves = rt.nest.flatten(value)
    return any(is_of_package(type(leaf), "autograph", "runtime") for leaf in leaves)
