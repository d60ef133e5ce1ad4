"""Calls of `runtime` functions with Python numbers, which become tensors.

    rt.exp(float(t))      plain: exp of a Python float, which becomes a float32 tensor

While tracing, `float(t)` is a weak float64, which operators treat as a Python float. A function of
the library treats it as a literal, and returns a strong tensor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

import runtime as rt
from autograph.backends.graph.functions.pure_python_stdlib import with_argument_check, with_tensors
from autograph.backends.graph.program.arrays import KNOWN
from autograph.operators.frames import code_info_of
from runtime.core.lazy_imports import lazy_import
from runtime.ops.convert import NUMPYS, is_weak, strong_cast, weakly
from runtime.ops.effects.io import assert_, print_

_OPS = "runtime.ops."
# Modules of functions that accept values of any type.
_TAKING_VALUES = frozenset(
    (
        "runtime.ops.effects.io",
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
of_lists = lazy_import("autograph.backends.graph.functions.list_operands:of_lists")
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
