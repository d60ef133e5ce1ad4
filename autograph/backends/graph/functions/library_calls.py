"""Calls of library functions, which are not converted.

    rt.exp(float(t))         plain: exp of a Python float, which becomes a float32 tensor
    statistics.mean(l)       Python would see a staged list as one item
    template.substitute(n)   and a symbolic tensor as the text Tensor

While tracing, `float(t)` is a weak float64, which operators treat as a Python float. A function of
`runtime` treats it as a literal, and returns a strong tensor.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

import runtime as rt
from autograph.backends.graph.aliases.stale_reads import check_use
from autograph.backends.graph.arrays.array_elements import as_operand
from autograph.backends.graph.arrays.staged_array import KNOWN, is_array
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.values.dynamic_items import has_dynamic_keys, is_staged
from autograph.backends.graph.values.object_values import record_of
from autograph.errors import StagedIterationError, StagingError
from autograph.operators.frames import code_info_of
from runtime.core.lazy_imports import lazy_import
from runtime.ops.convert import NUMPYS, is_weak, strong_cast, weakly
from runtime.ops.effects.checks import assert_
from runtime.ops.effects.printing import print_

_OPS = "runtime.ops."
# Modules of functions that accept values of any type.
_TAKING_VALUES = frozenset(
    (
        "runtime.ops.effects.checks",
        "runtime.ops.effects.printing",
        "runtime.ops.effects.python_calls",
        "runtime.ops.effects.raising",
        "runtime.ops.effects.try_ops",
        "runtime.ops.python.formatting",
        "runtime.ops.text.print_format",
    )
)
# Functions whose result has the dtype that is given to them.
_OF_DTYPE = frozenset(("constant", "convert_to_tensor"))
# Functions that print values, with their replacements for run-time values.
_SHOWING: dict[Any, Callable[..., Any]] = {
    print_: lazy_import("autograph.backends.graph.functions.printed_values:printing"),
    assert_: lazy_import("autograph.backends.graph.functions.printed_values:asserting"),
}
# Functions that accept lists, by module and name; they have a form for staged lists.
_TAKING_LISTS = frozenset(
    (
        ("runtime.nest", "map_structure"),
        ("runtime.nn.ops.manipulation", "concatenate"),
        ("runtime.ops.elementwise.arithmetic", "add_n"),
        ("runtime.ops.linalg.clip_by_norm", "clip_by_global_norm"),
        ("runtime.ops.linalg.clip_by_norm", "global_norm"),
        ("runtime.ops.arrays.concatenation", "concat"),
        ("runtime.ops.arrays.concatenation", "stack"),
        ("runtime.ops.effects.ordering", "identity_n"),
        ("runtime.ops.effects.ordering", "shape_n"),
        ("runtime.ops.effects.ordering", "tuple"),
        ("runtime.ops.elementwise.composites", "accumulate_n"),
        ("runtime.ops.text.strings", "join"),
    )
)
of_lists = lazy_import("autograph.backends.graph.functions.list_arguments:of_lists")
_AS_LITERAL = {rt.float64: rt.float32, rt.complex128: rt.complex64}


def library_replacement(function: FunctionType) -> Callable[..., Any]:
    """Return the replacement of a function that is about to be called, or the function itself."""
    called = _library_replacement(function)
    if not KNOWN.get() or code_info_of(function.__code__) is not None or _is_of_graph(function):
        return called
    return partial(with_tensors, called)


def _is_of_graph(function: FunctionType) -> bool:
    """Return whether a function is a method of this package, which accepts arrays as they are."""
    return (function.__module__ or "").startswith("autograph.backends.")


def _library_replacement(function: FunctionType) -> Callable[..., Any]:
    module = function.__module__ or ""
    if function in _SHOWING:
        return partial(_SHOWING[function], function)
    if (module, function.__name__) in _TAKING_LISTS:
        return of_lists(function, partial(_called, function))
    if not module.startswith(_OPS) or module in _TAKING_VALUES:
        return with_argument_check(function)
    return partial(_called, function)


def _called(function: FunctionType, /, *args: Any, **kwargs: Any) -> Any:
    try:
        given = [*_leaves(args), *_leaves(list(kwargs.values()))]
    except RecursionError:
        return function(*args, **kwargs)  # the function raises its own error
    if not any(map(is_weak, given)):
        return function(*args, **kwargs)
    is_as_asked = _has_dtype(function, given)
    if not (is_as_asked or any(map(_is_exact, given))):
        args, kwargs = _literals(args), {name: _literals(kwargs[name]) for name in kwargs}
    return _tensor(function(*args, **kwargs), is_as_asked)


def _has_dtype(function: FunctionType, given: list[Any]) -> bool:
    if function.__name__ not in _OF_DTYPE:
        return False
    return any(isinstance(each, (rt.DType, str, type, np.dtype)) for each in given)


def _is_exact(value: Any) -> bool:
    """Return whether a value has a dtype that Python floats beside it adopt."""
    if isinstance(value, rt.Variable):
        return value.dtype.kind in "fc"
    if isinstance(value, rt.Tensor):
        return value.dtype.kind in "fc" and not is_weak(value)
    return isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "fc"


def _leaves(values: Any) -> Iterator[Any]:
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from _leaves(value)
        else:
            yield value


def _literals(value: Any) -> Any:
    """Return a value in which weak tensors have the dtypes of literals."""
    if is_weak(value) == NUMPYS:
        return value
    if is_weak(value):
        # It stays weak, and adopts the dtype of other operands.
        return weakly(strong_cast(value, _AS_LITERAL.get(value.dtype, value.dtype)), True)
    if type(value) in (list, tuple) and any(map(is_weak, _leaves(value))):
        return type(value)(map(_literals, value))
    return value


def _tensor(result: Any, is_as_asked: bool) -> Any:
    """Return the result of a library function for Python numbers: a strong tensor."""
    if not is_weak(result):
        return result
    is_numpys = is_weak(result) == NUMPYS
    dtype = result.dtype if is_numpys else _AS_LITERAL.get(result.dtype, result.dtype)
    if is_as_asked or dtype is result.dtype:
        return rt.identity(result)
    return strong_cast(result, dtype)


# -- calls of the standard library -----------------------------------------------------------------


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
        return partial(_checked_call, function, room in _FORMATTING)
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


def _checked_call(function: FunctionType, makes_text: bool, /, *args: Any, **kwargs: Any) -> Any:
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
