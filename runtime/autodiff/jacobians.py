"""Jacobian rows: one gradient for each element of a target, stacked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.core.context import current_recorder
from runtime.core.dtypes import int32
from runtime.errors import ShapeError
from runtime.graph.structured_control_flow import while_loop
from runtime.ops.arrays.concatenation import concat, stack
from runtime.ops.arrays.creation import one_hot, zeros_like
from runtime.ops.arrays.creation import range as range_
from runtime.ops.arrays.shape import broadcast_to, expand_dims, reshape, shape, size
from runtime.ops.constant import cast
from runtime.ops.elementwise.arithmetic import add
from runtime.ops.elementwise.comparison import equal, less
from runtime.state.tensor_array import TensorArray

# From a gradient of the target to gradients of the sources, none of which is None.
Back = Callable[[Any], "list[Any]"]

# The most elements for which a graph has one gradient per element; for more it has a loop.
_FEW = 16


def jacobian_rows(target: Any, sources: list[Any], back: Back) -> list[Any]:
    """Return the Jacobian by each source, of shape `target.shape + source.shape`."""
    elements = target.shape.num_elements()
    if elements is not None and (current_recorder() is None or elements <= _FEW):
        rows = [back(_unit(target, at)) for at in range(elements)]
        columns = [stack(each) for each in zip(*rows)] if rows else list(map(_none_of, sources))
    else:
        columns = _looped(target, sources, back)
    return [_shaped(column, target, source) for column, source in zip(columns, sources)]


def gradients_by_row(target: Any, source: Any, back: Back) -> Any:
    """Return the Jacobians of all rows, with one gradient per element of a row.

    Raises:
        ShapeError: the size of a row is unknown.
    """
    width = target.shape[1:].num_elements()
    if width is None:
        raise ShapeError(
            f"batch_jacobian: the size of a row is not known in {target.shape}: write "
            "rt.ensure_shape"
        )
    columns = []
    for at in range(width):
        row = reshape(one_hot(at, width, dtype=target.dtype), target.shape[1:])
        columns.append(back(broadcast_to(row, shape(target)))[0])
    whole = concat([shape(target), shape(source)[1:]], 0)
    return reshape(stack(columns, axis=1), whole)


def _looped(target: Any, sources: list[Any], back: Back) -> list[Any]:
    count = size(target)
    arrays = [
        TensorArray(each.dtype, size=count, element_shape=each.shape, infer_shape=False)
        for each in sources
    ]

    def iteration(at: Any, *held: Any) -> list[Any]:
        found = back(_unit(target, at))
        return [add(at, 1), *[array.write(at, each) for array, each in zip(held, found)]]

    start: list[Any] = [0, *arrays]
    _, *done = while_loop(lambda at, *held: less(at, count), iteration, start)
    return [each.stack() for each in done]


def _none_of(source: Any) -> Any:
    return zeros_like(expand_dims(source, 0)[:0])


def _unit(target: Any, at: Any) -> Any:
    """Return a tensor with a one at the position of an element, and zeros elsewhere."""
    ones = equal(range_(size(target)), cast(at, int32))
    return reshape(cast(ones, target.dtype), shape(target))


def _shaped(column: Any, target: Any, source: Any) -> Any:
    return reshape(column, concat([shape(target), shape(source)], 0))


def check_batch(target: Any, source: Any) -> None:
    """Raise a ShapeError unless two tensors have the same number of rows, as far as it is known."""
    if target.shape.rank in (0, 1) or source.shape.rank in (0, 1):
        raise ShapeError(
            f"batch_jacobian takes rows of vectors, not shapes {target.shape} and {source.shape}"
        )
    if not target.shape[:1].is_compatible_with(source.shape[:1]):
        raise ShapeError(
            f"batch_jacobian: {target.shape} and {source.shape} must have the same number of rows"
        )
