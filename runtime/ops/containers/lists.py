"""Lists in graphs: variants that grow, shrink and are indexed like Python lists.

Functions that change a list return a new one and leave the old one unchanged (`ItemList`). An item
is a tuple of tensors, one per leaf of the user's item; `specs` has their specs, and `rt.variant` is
the dtype of the list itself. Where a Python list raises an error, these functions raise the same
one; tensors that do not fit raise errors of `runtime.errors`.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import index as as_int
from typing import Any

import numpy as np

from runtime.core.array_ownership import tensors_of
from runtime.core.context import current_watchers
from runtime.core.dtypes import bool_, int32
from runtime.core.item_list import Item, elements_of
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, EagerTensor, Tensor
from runtime.errors import DTypeError, ShapeError
from runtime.ops.arguments import static_value
from runtime.ops.arrays.index import HashableSlice, Input
from runtime.ops.containers import list_kernels as kernels
from runtime.ops.containers import list_tensors as rows
from runtime.ops.convert import is_tensor_like, is_weak, strong_cast, to_tensor
from runtime.ops.gradient_rules import result_tensor
from runtime.ops.literals import is_empty
from runtime.ops.op import apply


def list_new() -> Any:
    """Return an empty list.

    >>> list_new()
    <rt.Tensor: shape=(), dtype=variant, numpy=[]>
    """
    return apply(kernels.LIST_OF, (), width=1)


def list_of(*leaves: Any, width: int = 1) -> Any:
    """Return a list of items of `width` tensors each, given one after the other.

    >>> list_of(1, 2.5, 3, 4.5, width=2).numpy()
    [(1, 2.5), (3, 4.5)]
    """
    return apply(kernels.LIST_OF, tuple(map(to_tensor, leaves)), width=width)


def list_append(target: Any, *leaves: Any) -> Any:
    """Return the list with one more item; a loop of appends copies nothing.

    >>> list_append(list_of(1, 2), 3).numpy()
    [1, 2, 3]
    """
    return apply(kernels.APPEND, (to_tensor(target), *map(to_tensor, leaves)))


def list_extend(target: Any, other: Any) -> Any:
    """Return one list followed by another.

    >>> list_extend(list_of(1, 2), list_of(3)).numpy()
    [1, 2, 3]
    """
    return apply(kernels.EXTEND, (to_tensor(target), to_tensor(other)))


def list_length(target: Any) -> Any:
    """Return the number of items, a scalar of int32.

    >>> list_length(list_of(5, 7)).numpy().item()
    2
    """
    return apply(kernels.LENGTH, (to_tensor(target),))


def list_get(target: Any, index: Any, specs: Iterable[TensorSpec]) -> Any:
    """Return the tensors of an item, one per spec; IndexError if there is no such item.

    >>> list_get(list_of(5, 7), -1, [TensorSpec((), int32)])[0].numpy().item()
    7
    """
    return apply(kernels.GET, (to_tensor(target), _index(index)), specs=tuple(specs))


def list_set(target: Any, index: Any, *leaves: Any) -> Any:
    """Return the list with an item replaced; IndexError if there is no such item.

    >>> list_set(list_of(5, 7), 0, 6).numpy()
    [6, 7]
    """
    return apply(kernels.SET, (to_tensor(target), _index(index), *map(to_tensor, leaves)))


def list_pop(target: Any, index: Any, specs: Iterable[TensorSpec]) -> Any:
    """Return the list without one item (the last if `index` is None), and the item's tensors.

    >>> rest, last = list_pop(list_of(5, 7), None, [TensorSpec((), int32)])
    >>> rest.numpy(), last.numpy().item()
    ([5], 7)
    """
    where = () if index is None else (_index(index),)
    return apply(kernels.POP, (to_tensor(target), *where), specs=tuple(specs))


def list_insert(target: Any, index: Any, *leaves: Any) -> Any:
    """Return the list with an item inserted before `index`; any index is valid, as in Python.

    >>> list_insert(list_of(5, 7), 1, 6).numpy()
    [5, 6, 7]
    """
    return apply(kernels.INSERT, (to_tensor(target), _index(index), *map(to_tensor, leaves)))


def list_slice(target: Any, start: Any = None, stop: Any = None, step: Any = None) -> Any:
    """Return `target[start:stop:step]`; ValueError when the step is 0.

    >>> list_slice(list_of(1, 2, 3), 1).numpy(), list_slice(list_of(1, 2, 3), step=-2).numpy()
    ([2, 3], [3, 1])
    """
    span, inputs = _span(start, stop, step)
    return apply(kernels.SLICE, (to_tensor(target), *inputs), span=span)


def list_set_slice(target: Any, start: Any, stop: Any, other: Any, step: Any = None) -> Any:
    """Return the list after `target[start:stop:step] = other`.

    Raises:
        ValueError: the slice has a step, and `other` is not as long as it.

    >>> list_set_slice(list_of(1, 2, 3), 0, 2, list_of(9)).numpy()
    [9, 3]
    """
    span, inputs = _span(start, stop, step)
    return apply(kernels.SET_SLICE, (to_tensor(target), to_tensor(other), *inputs), span=span)


def list_delete(target: Any, index: Any) -> Any:
    """Return the list without one item; IndexError if there is no such item.

    >>> list_delete(list_of(1, 2, 3), 1).numpy()
    [1, 3]
    """
    return apply(kernels.DELETE, (to_tensor(target), _index(index)))


def list_delete_slice(target: Any, start: Any = None, stop: Any = None, step: Any = None) -> Any:
    """Return the list without the items of a slice.

    >>> list_delete_slice(list_of(1, 2, 3), None, 2).numpy()
    [3]
    """
    span, inputs = _span(start, stop, step)
    return apply(kernels.DELETE_SLICE, (to_tensor(target), *inputs), span=span)


def list_reverse(target: Any) -> Any:
    """Return the list from its end to its start.

    >>> list_reverse(list_of(1, 2, 3)).numpy()
    [3, 2, 1]
    """
    return apply(kernels.REVERSE, (to_tensor(target),))


def list_repeat(target: Any, count: Any) -> Any:
    """Return the list repeated `count` times; empty when `count` is not positive.

    >>> list_repeat(list_of(1, 2), 2).numpy()
    [1, 2, 1, 2]
    """
    return apply(kernels.REPEAT, (to_tensor(target), _index(count)))


def list_take(target: Any, indices: Any) -> Any:
    """Return the items at `indices`, a vector of integers; IndexError if there is no such item.

    >>> list_take(list_of(5, 6, 7), [2, 0]).numpy()
    [7, 5]
    """
    return apply(kernels.TAKE, (to_tensor(target), index_vector(indices)))


def list_stack(target: Any, leaf: int, spec: TensorSpec) -> Any:
    """Return the tensor whose rows are one leaf of each item.

    Args:
        leaf: the index of the tensor in each item.
        spec: the spec of this tensor; an empty list gives no rows of its shape, with 0 for unknown
            dimensions.

    Raises:
        InvalidArgumentError: two items differ in shape.

    >>> list_stack(list_of([1, 2], [3, 4]), 0, TensorSpec((2,), "int32")).numpy().tolist()
    [[1, 2], [3, 4]]
    """
    return apply(rows.STACK, (to_tensor(target),), leaf=leaf, spec=spec.unnamed())


def list_concat(target: Any, leaf: int, spec: TensorSpec) -> Any:
    """Return one leaf of all items concatenated along the first axis.

    Raises:
        InvalidArgumentError: two items differ in another axis, or one is a scalar.

    >>> list_concat(list_of([1, 2], [3]), 0, TensorSpec((None,), "int32")).numpy().tolist()
    [1, 2, 3]
    """
    return apply(rows.CONCAT, (to_tensor(target),), leaf=leaf, spec=spec.unnamed())


def list_from_rows(*tensors: Any) -> Any:
    """Return the list whose items are the rows of a tensor, or of several tensors of one length.

    >>> list_from_rows([[1, 2], [3, 4]]).numpy()
    [[1, 2], [3, 4]]
    """
    return apply(rows.FROM_ROWS, tuple(map(to_tensor, tensors)))


def list_from_parts(tensor: Any, lengths: Any) -> Any:
    """Return the list of consecutive parts of a tensor, of the given lengths along its first axis.

    Raises:
        InvalidArgumentError: the lengths do not add up to that of the tensor.

    >>> list_from_parts([1, 2, 3], [2, 1]).numpy()
    [[1, 2], [3]]
    """
    return apply(rows.FROM_PARTS, (to_tensor(tensor), to_tensor(lengths)))


def list_items(value: Tensor | Array) -> list[Item]:
    """Return the items of an eager list, or of its array, as tuples of arrays.

    >>> list_items(list_append(list_new(), 1, 2.5))
    [(array(1, dtype=int32), array(2.5, dtype=float32))]
    """
    array = value._array if isinstance(value, EagerTensor) else value
    return kernels.list_in(array).items()  # type: ignore[arg-type]


def item_tensors(value: Array) -> list[EagerTensor]:
    """Return the items of a result of a run, a list of single tensors, as eager tensors.

    >>> item_tensors(list_append(list_new(), 1)._array)
    [<rt.Tensor: shape=(), dtype=int32, numpy=1>]
    """
    row = kernels.list_in(value).row
    if row is not None and not current_watchers():
        return tensors_of(elements_of(row))
    return [result_tensor(leaf) for (leaf,) in list_items(value)]


# -- arguments -------------------------------------------------------------------------------------


def index_vector(values: Any) -> Tensor:
    """Return a vector of indices, of int32 when it is an empty list.

    Raises:
        DTypeError, ShapeError: it is not of integers, or no vector.

    >>> index_vector([]).dtype
    rt.int32
    """
    values = list(values) if isinstance(values, range) else values
    tensor = to_tensor(values, int32 if is_empty(values) else None)
    if not tensor.dtype.is_integer:
        raise DTypeError(f"indices and lengths must be integers, not {tensor.dtype.name}")
    if tensor.shape.rank not in (None, 1):
        raise ShapeError(f"indices and lengths must be a vector, not of shape {tensor.shape}")
    return tensor


def _index(value: Any) -> Tensor:
    tensor = to_tensor(value)
    if is_weak(tensor) and tensor.dtype is bool_:
        return strong_cast(tensor, int32)
    kernels.check_index(tensor.spec)
    return tensor


def _span(*bounds: Any) -> tuple[HashableSlice, list[Tensor]]:
    """Return a slice with placeholders for bounds that only a run knows, and their tensors."""
    parts: list[int | Input | None] = []
    inputs: list[Tensor] = []
    for bound in bounds:
        known = static_value(bound) if is_tensor_like(bound) else bound
        if known is None and bound is not None:
            parts.append(Input(len(inputs)))
            inputs.append(_index(bound))
        else:
            parts.append(None if known is None else _plain(known))
    return HashableSlice(*parts), inputs


def _plain(bound: Any) -> int:
    if isinstance(bound, np.ndarray) and (bound.ndim or bound.dtype.kind not in "iu"):
        raise DTypeError("the bounds of a slice must be integers or None")
    return as_int(bound)
