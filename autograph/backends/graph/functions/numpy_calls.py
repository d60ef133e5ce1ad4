"""Calls of NumPy functions with symbolic arguments: lists become tensors, and ops are recorded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import runtime as rt
from autograph.backends.graph.arrays.array_elements import ArrayElements, as_numpy_result
from autograph.backends.graph.arrays.array_mutation import change_of, store
from autograph.backends.graph.arrays.staged_array import (
    StagedArray,
    as_tensor_index,
    as_tensor_operand,
    is_array,
    new_array,
    refuse_stale_view,
    staged_tensor,
)
from autograph.backends.graph.containers.staged_list import StagedList
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.tracing.value_tensors import tensor_count
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.iterables import SymbolicRange
from autograph.backends.graph.values.leaf_spec import LiteralSpec, TracedSpec
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.graph.values.value_spec import ContainerSpec, ValueSpec
from autograph.errors import StagingError
from autograph.operators.user_classes import is_of_package
from runtime.core.lazy_imports import lazy_import
from runtime.ops.containers.dynamic_items import holds_dynamic_items
from runtime.ops.containers.lists import list_length, list_stack
from runtime.ops.convert import is_weak

_OURS = ("autograph", "runtime")
# Imported on first use: the table of NumPy's functions is large, and few traces need it.
name_of = lazy_import("runtime.interop.numpy.protocol:name_of")
recorded_call = lazy_import("runtime.interop.numpy.protocol:recorded_call")
view_or_copy = lazy_import("autograph.backends.graph.arrays.array_views:view_or_copy")
numpy_view = lazy_import("autograph.backends.graph.arrays.array_views:numpy_view")
may_return_view = lazy_import("autograph.backends.graph.arrays.array_views:may_return_view")
_KNOWN = (rt.EagerTensor, rt.DType, rt.TensorSpec, rt.TensorShape)


def call_numpy(function: Any, *args: object, **kwargs: object) -> object:
    """Return `function(*args, **kwargs)` of NumPy's with a symbolic argument.

    Raises:
        SymbolicTensorError, StagingError: there is no op for it; the error names the function.
    """
    if args and is_array(args[0]) and staged_tensor(args[0]) is not None:
        if function is np.ndenumerate:
            array = ArrayElements(args[0])
            sizes: Any = array.shape.as_list()
            return ((place, array[place]) for place in np.ndindex(*sizes))
        if may_return_view(function):
            return _looked_at(function, args[0], args[1:], kwargs)
    if not has_unknown([*args, *kwargs.values()]):
        return function(*args, **kwargs)
    change = change_of(function, args, kwargs)
    if change is not None:
        return change(*args, **kwargs)
    if isinstance(out := kwargs.get("out"), (np.ndarray, StagedArray)) and is_array(out):
        others = {name: each for name, each in kwargs.items() if name != "out"}
        store(out, ..., call_numpy(function, *args, **others))
        return out
    if function is np.isscalar and isinstance(args[0], rt.SymbolicTensor):
        return args[0].weak and args[0].shape.rank == 0
    made = new_array if _has_tensors([*args, *kwargs.values()]) else as_numpy_result
    args = tuple(map(as_tensor_index, args))
    kwargs = {name: as_tensor_index(each) for name, each in kwargs.items()}
    given = [_as_numpy_takes(function, each) for each in args]
    named = {name: _as_numpy_takes(function, each) for name, each in kwargs.items()}
    result = recorded_call(function, tuple(given), named)
    if type(result) in (tuple, list):
        return type(result)(map(made, result))
    return made(result)


def _has_tensors(values: Sequence[Any]) -> bool:
    """Return whether a strong tensor, and not only arrays, is among the values."""
    return any(
        _has_tensors(each)
        if isinstance(each, (list, tuple))
        else isinstance(each, (rt.Tensor, rt.Variable, StagedList)) and not is_weak(each)
        for each in values
    )


def _looked_at(function: Any, array: Any, args: Any, kwargs: Any) -> object:
    """Return the result of a function that may return a view of the array."""
    refuse_stale_view(array)
    args, kwargs = (
        as_tensor_index(args),
        {name: as_tensor_index(each) for name, each in kwargs.items()},
    )
    found = numpy_view(array, function, args, kwargs)
    if found is NotImplemented:
        return view_or_copy(array, function, args, kwargs)
    return found


def has_unknown(values: Sequence[object]) -> bool:
    """Return whether one of the values is known only at run time."""
    return any(
        has_unknown(_items(value))
        if isinstance(value, (list, tuple, slice))
        else is_of_package(type(as_tensor_operand(value)), *_OURS) and not isinstance(value, _KNOWN)
        for value in values
    )


def _items(value: Any) -> Sequence[object]:
    return (value.start, value.stop, value.step) if isinstance(value, slice) else value


def _as_numpy_takes(function: Any, value: Any) -> Any:
    if isinstance(value, StagedList):
        value = value.items
    if isinstance(value, rt.Variable):
        return value.read_value()
    if isinstance(value, SymbolicRange):
        return value.tensor()
    if holds_dynamic_items(value) and any(
        type(each) is DynamicItems and is_nested(each) for each in value
    ):
        return _rows(StagedList(list(value)).as_dynamic())
    if isinstance(value, OptionalValue):
        raise StagingError(
            f"{name_of(function)} is given a value that is None on some paths: give it a tensor "
            "or a number on every path",
            user_location(),
        )
    if type(value) in (list, tuple):
        return type(value)(_within(_as_numpy_takes(function, each)) for each in value)
    if is_of_package(type(value), "autograph") and not holds_dynamic_items([value]):
        raise StagingError(
            f"{name_of(function)} is given a value that is known to be an array only when the "
            "graph runs: make it a tensor first, as in rt.stack(list(x))",
            user_location(),
        )
    return value


def _within(item: Any) -> Any:
    """Return an item of a list; a staged list becomes a tensor."""
    return rt.stack(item) if holds_dynamic_items(item) else item


def is_nested(items: DynamicItems) -> bool:
    """Return whether dynamic items are lists or tuples of tensors, which become rows."""
    return isinstance(items.element, ContainerSpec) and isinstance(
        items.element.like, (list, tuple)
    )


def _rows(items: DynamicItems) -> rt.Tensor:
    """Return items that are lists or tuples of one structure, as the rows of a tensor."""
    leaves = iter(range(tensor_count(items.element)))

    def column(spec: ValueSpec) -> rt.Tensor:
        if isinstance(spec, ContainerSpec):
            columns = [column(child) for child in spec.children]
            if spec.has_number:
                next(leaves)
            return rt.stack(columns, axis=1)
        if isinstance(spec, TracedSpec):
            return list_stack(items.handle, next(leaves), spec.tensor_spec)
        if isinstance(spec, LiteralSpec):
            return rt.fill([list_length(items.handle)], spec.value)
        raise StagingError(
            "the items of a list that grew in a staged statement are not tensors, numbers or "
            "lists of those, so it cannot become one tensor",
            user_location(),
        )

    return column(items.element)
