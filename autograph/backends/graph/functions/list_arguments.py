"""`runtime` functions that take a list, for staged lists.

    rt.add_n(items)                  ->    rt.reduce_sum(rt.stack(items), 0)
    rt.nest.map_structure(f, items)  ->    [f(each) for each in items]

The replacements are Python functions that iterate over the list, and are converted as user code is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import runtime as rt
from autograph.backends.graph.values.dynamic_items import is_staged
from runtime.core.converter_hooks import ConverterHooks
from runtime.errors import ArgumentValueError
from runtime.ops.containers.dynamic_items import concatenated_items, stacked
from runtime.ops.linalg.clip_by_norm import scale_for, scaled


def add_n(inputs: Any, name: str | None = None) -> Any:
    """Return the sum of tensors of one shape."""
    return rt.reduce_sum(rt.stack(inputs), 0)


def accumulate_n(
    inputs: Any, shape: Any = None, tensor_dtype: Any = None, name: str | None = None
) -> Any:
    """Return the sum of tensors of one shape, after the checks of `rt.math.accumulate_n`."""
    return rt.math.accumulate_n([add_n(inputs)], shape, tensor_dtype)


def join(inputs: Any, separator: str = "", name: str | None = None) -> Any:
    """Return texts of one shape joined element by element; of none, the empty text."""
    if len(inputs) == 0:
        return rt.constant("")
    return rt.strings.reduce_join(rt.stack(inputs), 0, separator=separator)


def identity_n(input: Any, name: str | None = None) -> list[Any]:
    """Return a list of the same tensors."""
    return [rt.identity(each) for each in input]


def tensors_of(tensors: Any, control_inputs: Any = None, name: str | None = None) -> list[Any]:
    """Return a list of the same tensors, as `rt.tuple` does; None stays."""
    with rt.control_dependencies(control_inputs):
        return [None if each is None else rt.identity(each) for each in tensors]


def shape_n(input: Any, out_type: Any = rt.int32, name: str | None = None) -> list[Any]:
    """Return a list of the shapes of tensors."""
    return [rt.shape(each, out_type) for each in input]


def global_norm(t_list: Any, name: str | None = None) -> Any:
    """Return the euclidean length of all tensors together; None stands for nothing."""
    squares = [rt.reduce_sum(each * each) for each in t_list if each is not None]
    return rt.sqrt(rt.reduce_sum(rt.convert_to_tensor(squares)))


def clip_by_global_norm(
    t_list: Any, clip_norm: Any, use_norm: Any = None, name: str | None = None
) -> tuple[list[Any], Any]:
    """Return the tensors scaled down together to a length of `clip_norm`, and the former length."""
    length = rt.linalg.global_norm(t_list) if use_norm is None else rt.convert_to_tensor(use_norm)
    scale = scale_for(length, clip_norm)
    return [None if each is None else scaled(each, scale) for each in t_list], length


def concat(values: Any, axis: Any, name: str | None = None) -> Any:
    """Return tensors joined along any axis, by an exchange of this axis with the first one."""
    if axis == 0:
        return concatenated_items(values, rt.convert_to_tensor)
    exchanged = [_exchanged(each, axis) for each in values]
    return _exchanged(concatenated_items(exchanged, rt.convert_to_tensor), axis)


def concatenate(xs: Any, axis: int = 0) -> Any:
    """Return tensors joined along an axis, by Keras' name."""
    return concat(xs, axis)


def stack(values: Any, axis: int = 0, name: str | None = None) -> Any:
    """Return tensors of one shape along a new axis, which may be any."""
    rows = stacked(values, rt.convert_to_tensor)
    rank = len(rows.shape)
    if not -rank <= axis < rank:
        raise ArgumentValueError(f"axis {axis} is out of range for rank {rank - 1}")
    places = [*range(1, rank)]
    places.insert(axis % rank, 0)
    return rows if axis % rank == 0 else rt.transpose(rows, places)


def _exchanged(x: Any, axis: int) -> Any:
    """Return a tensor with the first axis and another one exchanged."""
    axes = [*range(len(x.shape))]
    if not -len(axes) <= axis < len(axes):
        raise ArgumentValueError(f"axis {axis} is out of range for rank {len(axes)}")
    axes[0], axes[axis] = axes[axis], axes[0]
    return rt.transpose(x, axes)


def map_structure(
    func: Any, *structure: Any, check_types: bool = True, expand_composites: bool = False
) -> Any:
    """Return the results of a function for each leaf of structures of the same form."""
    first = structure[0]
    if is_staged(first):
        if len(structure) == 1:
            return [rt.nest.map_structure(func, each) for each in first]
        rows = zip(*structure, strict=True)
        return [rt.nest.map_structure(func, *each) for each in rows]
    parts = map(rt.nest.children, structure)
    return rt.nest.rebuild(first, [rt.nest.map_structure(func, *each) for each in zip(*parts)])


_BY_NAME: dict[str, Callable[..., Any]] = {"tuple": tensors_of} | {
    each.__name__: each
    for each in (
        add_n,
        accumulate_n,
        join,
        identity_n,
        shape_n,
        global_norm,
        clip_by_global_norm,
        concat,
        concatenate,
        stack,
        map_structure,
    )
}


def of_lists(function: Any, otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """Return a runtime function that also takes a staged list.

    Args:
        function: the function, which has a form for staged lists in this module.
        otherwise: called if no argument contains a staged list.
    """
    in_python = _BY_NAME[function.__name__]

    def call(*args: Any, **kwargs: Any) -> Any:
        if any(map(holds_staged, (*args, *kwargs.values()))):
            return ConverterHooks.call(in_python)(*args, **kwargs)
        return otherwise(*args, **kwargs)

    return call


def holds_staged(value: Any) -> bool:
    """Return whether a structure contains a staged list.

    >>> holds_staged([1, {"a": [2]}])
    False
    """
    return is_staged(value) or any(map(holds_staged, rt.nest.children(value) or ()))
