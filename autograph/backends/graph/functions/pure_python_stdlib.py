"""Checks of calls of pure-Python functions in the standard library, which are not converted.

statistics.mean(l)       Python would see a staged list as one item
template.substitute(n)   and a symbolic tensor as the word Tensor
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

import runtime as rt
from autograph.backends.graph.aliases.stale_reads import check_use
from autograph.backends.graph.program.array_elements import as_operand
from autograph.backends.graph.program.arrays import is_array
from autograph.backends.graph.program.source_location import user_location
from autograph.backends.graph.values.dynamic_items import has_dynamic_keys, is_staged
from autograph.backends.graph.values.object_values import record_of
from autograph.errors import StagedIterationError, StagingError

_ITERATING = frozenset(
    "bisect collections csv heapq json operator pprint random re statistics string".split()
)
# The search depth in nested containers.
_DEEPEST = 4
_FORMATTING = frozenset("csv json pprint string textwrap".split())


def with_argument_check(function: FunctionType) -> Callable[..., Any]:
    """Return the function; for one of such a module, with a check of its arguments."""
    room = (function.__module__ or "").partition(".")[0]
    if room in _ITERATING or room in _FORMATTING:
        return partial(_called, function, room in _FORMATTING)
    return function


def with_tensors(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Call a library function, with tensors in place of arrays whose elements the graph knows.

    Raises:
        StagingError: such an array is an attribute of an object, where it is not replaced.
    """
    given = {name: _with_tensors(each) for name, each in kwargs.items()}
    return function(*map(_with_tensors, args), **given)


def _with_tensors(value: Any, depth: int = 0) -> Any:
    if is_array(value):
        return as_operand(value)
    if type(value) in (list, deque) and is_staged(value):
        check_use(value)  # An array in it may be stale.
        return value
    if type(value) in (list, tuple, dict) and depth < _DEEPEST:
        children = rt.nest.children(value) or []
        inside = [_with_tensors(child, depth + 1) for child in children]
        is_same = all(a is b for a, b in zip(children, inside))
        return value if is_same else rt.nest.rebuild(value, inside)
    record = record_of(value)
    for each in (rt.nest.children(value) or ()) if record is None else record.values:
        if is_array(each) and as_operand(each) is not each:
            raise StagingError(
                f"a {type(value).__name__} with a NumPy array is given to a function that is not "
                "converted, and only the graph knows what the array holds: give it the array, or "
                "make a tensor of it first, as in rt.constant(...)",
                user_location(),
            )
    return value


def _called(function: FunctionType, makes_text: bool, /, *args: Any, **kwargs: Any) -> Any:
    name = f"{function.__module__}.{function.__qualname__}() is not converted, and is given"
    for each in (*args, *kwargs.values()):
        if has_dynamic_keys(each) or (type(each) in (list, deque) and is_staged(each)):
            raise StagedIterationError(
                f"{name} a {type(each).__name__} of which only the graph knows the items: write "
                "the loop, as in `for item in items: ...`",
                user_location(),
            )
        if makes_text and isinstance(each, rt.SymbolicTensor):
            raise StagingError(
                f"{name} a value that has none yet while tracing: write an f-string, whose text is "
                "made when the graph runs",
                user_location(),
            )
    return function(*args, **kwargs)
