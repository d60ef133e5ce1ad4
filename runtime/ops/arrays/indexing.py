"""`x[...]` in all its forms, `slice`, and `set_item`, the functional form of `x[i] = v`."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.dtypes import bool_, int32
from runtime.core.lazy_imports import lazy_import
from runtime.core.shapes import Dims, Ints, TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, ShapeError, with_article
from runtime.ops.arguments import dims_argument, known_array, static_int, static_value
from runtime.ops.arrays.gather import boolean_mask, gather
from runtime.ops.arrays.index import (
    ELLIPSIS,
    NEWAXIS,
    WHOLE,
    HashableSlice,
    Index,
    Input,
    Item,
    Marker,
    Part,
    in_front,
)
from runtime.ops.convert import NUMPYS, is_tensor_like, is_weak, matched, to_tensor, weakly
from runtime.ops.grad import indexing as backward
from runtime.ops.infer import check_integer, check_scalar, rank_only, vector_length
from runtime.ops.literals import is_empty
from runtime.ops.op import apply, define

newaxis = None
# Imported on first use: few programs have several index arrays in one index.
with_name = lazy_import("runtime.diagnostics.operand_names:with_name")
advanced_item = lazy_import("runtime.ops.arrays.advanced_indexing:advanced_item")


def _strided_slice_kernel(x: Array, *inputs: Array, index: Index) -> Any:
    try:
        return x[index.numpy(inputs)]
    except IndexError as error:
        raise index.explained(error, x.shape, inputs) from None
    except ValueError:
        raise ArgumentValueError("the step of a slice cannot be 0") from None


def _strided_slice_infer(x: TensorSpec, *inputs: TensorSpec, index: Index) -> TensorSpec:
    for spec in inputs:
        check_integer(spec, "indices")
        check_scalar(spec, "an index beside slices")
    return TensorSpec(index.result_shape(x.shape), x.dtype)


def _set_item_kernel(x: Array, value: Array, *inputs: Array, index: Index) -> Array:
    changed = x.copy()
    put_item(changed, value, *inputs, index=index)
    return changed


def put_item(x: Array, value: Array, *inputs: Array, index: Index) -> None:
    """Write an item in place, into an array that nothing else uses.

    If it raises, nothing has been written.

    >>> x = np.array([1, 2, 3])
    >>> put_item(x, np.array(9), index=Index((1,)))
    >>> x
    array([1, 9, 3])
    """
    try:
        rank = np.ndim(x[index.numpy(inputs)])
        if value.ndim > rank:
            # NumPy drops dimensions of 1 in front; a graph, which may not know them, does not.
            raise ShapeError(f"a value of shape {value.shape} does not fit a place of rank {rank}")
        x[index.numpy(inputs)] = value
    except IndexError as error:
        raise index.explained(error, x.shape, inputs) from None
    except ValueError:
        place = TensorShape(np.shape(x[index.numpy(inputs)]))
        words = f"a value of shape {value.shape} does not fit a place of {place}"
        raise ShapeError(words) from None


def _set_item_infer(
    x: TensorSpec, value: TensorSpec, *inputs: TensorSpec, index: Index
) -> TensorSpec:
    if value.dtype is not x.dtype:
        kinds = with_article(value.dtype.name), with_article(x.dtype.name)
        raise DTypeError("{} value does not go into {} tensor: cast it".format(*kinds))
    for spec in inputs:
        if not (spec.dtype.is_integer or spec.dtype.is_bool):
            raise DTypeError(f"indices must be integers or bools, not {spec.dtype.name}")
    if all(spec.shape.rank == 0 for spec in inputs):
        place = index.result_shape(x.shape)
        if not value.shape.broadcasts_to(place):
            raise ShapeError(f"a value of shape {value.shape} does not fit a place of {place}")
    return x.unnamed()


def _slice_kernel(x: Array, begin: Array, *sizes: Array, size: Dims) -> Array:
    wanted: Any = sizes[0].tolist() if sizes else size
    stops = []
    for axis, (start, count, dim) in enumerate(zip(begin.tolist(), wanted, x.shape, strict=True)):
        if not 0 <= start <= dim:
            raise ArgumentValueError(f"Expected begin[{axis}] in [0, {dim}], but got {start}")
        if not -1 <= count <= dim - start:
            limit = dim - start
            raise ArgumentValueError(f"Expected size[{axis}] in [0, {limit}], but got {count}")
        stops.append(dim if count == -1 else start + count)
    return x[tuple(map(builtins.slice, begin.tolist(), stops))]


def _slice_infer(x: TensorSpec, begin: TensorSpec, *sizes: TensorSpec, size: Dims) -> TensorSpec:
    for spec in (begin, *sizes):
        check_integer(spec, "begin and size")
        if not spec.shape.is_compatible_with((x.shape.rank,)):
            raise ShapeError(f"begin and size of shape {spec.shape} do not fit shape {x.shape}")
    if size is None:
        return TensorSpec(rank_only(x.shape.rank), x.dtype)
    known = TensorShape.of(tuple(None if count in (None, -1) else count for count in size))
    if x.shape.rank not in (None, len(size)):
        raise ShapeError(f"size {list(size)} does not fit shape {x.shape}")
    return TensorSpec(known, x.dtype)


STRIDED_SLICE = define(
    "strided_slice",
    _strided_slice_kernel,
    _strided_slice_infer,
    grad=backward.strided_slice,
    tensorflow_name="StridedSlice",
)
SET_ITEM = define("set_item", _set_item_kernel, _set_item_infer, grad=backward.set_item)
SLICE = define(
    "slice",
    _slice_kernel,
    _slice_infer,
    grad=backward.slice_gradient,
    tensorflow_name="Slice",
)


def get_item(x: Any, key: Any) -> Tensor:
    """Return `x[key]`.

    The key may contain ints, slices, `...`, `None` (a new axis), scalar tensors, and tensors or
    lists of indices or boolean masks. As in NumPy, the latter are broadcast against each other, and
    their dimensions replace them in place, or come first if they and the ints are not adjacent.

    Raises:
        InvalidArgumentError: an index is out of bounds.
        ShapeError: there are more indices than dimensions.

    >>> x = to_tensor([[1, 2, 3], [4, 5, 6]])
    >>> print(get_item(x, (builtins.slice(None), -1)))
    rt.Tensor([3 6], shape=(2,), dtype=int32)
    >>> print(get_item(x, (0, [2, 0])))
    rt.Tensor([3 1], shape=(2,), dtype=int32)
    """
    tensor = to_tensor(x)
    result = _item(tensor, key)
    # A part of a NumPy array counts as a NumPy value too.
    return weakly(result, NUMPYS) if is_weak(tensor) == NUMPYS else result


def _item(tensor: Tensor, key: Any) -> Tensor:
    parsed = _ParsedKey(key)
    found = parsed.array
    if found is None:
        return _sliced(tensor, parsed)
    if parsed.is_advanced():
        parsed = _ParsedKey(key, many=True)
        result: Tensor = advanced_item(tensor, parsed.items, parsed.inputs)
        return result
    axis = parsed.array_axis()
    if any(item != WHOLE and item is not ELLIPSIS for item in parsed.items):
        tensor = _sliced(tensor, parsed)
    if found.dtype is bool_:
        return boolean_mask(tensor, found, axis)
    return gather(tensor, found, axis=axis, wrap=True)


def place_of(key: Any) -> tuple[Index, tuple[Tensor, ...]] | None:
    """Return an `Index` of ints and slices with its scalar tensors; None for a key with an array.

    >>> place_of((1, builtins.slice(2)))
    ([1, :2], ())
    """
    parsed = _ParsedKey(key)
    if parsed.array is not None:
        return None
    return Index(tuple(parsed.items)), tuple(parsed.inputs)


def set_item(tensor: TensorLike, index: TensorLike, value: TensorLike) -> Tensor:
    """Return a copy of `tensor` with `value` at `index`: `x[index] = value` for tensors.

    Args:
        index: any index that `x[index]` supports, also several index tensors, as in NumPy.
        value: of the tensor's dtype, broadcast to the indexed part; Python numbers adopt the dtype.

    >>> print(set_item([1, 2, 3], 1, 9))
    rt.Tensor([1 9 3], shape=(3,), dtype=int32)
    """
    x = to_tensor(tensor)
    (x, new), _ = matched((x, value), "set_item")
    parsed = _ParsedKey(index, many=True)
    result: Tensor = apply(SET_ITEM, (x, new, *parsed.inputs), index=Index(tuple(parsed.items)))
    return result


def slice(
    input_: TensorLike, begin: TensorLike, size: TensorLike, name: str | None = None
) -> Tensor:
    """Return `size` elements from `begin` on, along every axis; a size of -1 means all the rest.

    Raises:
        InvalidArgumentError: the slice leaves the tensor.

    >>> print(slice([[1, 2, 3], [4, 5, 6]], [0, 1], [2, -1]))
    rt.Tensor(
    [[2 3]
     [5 6]], shape=(2, 2), dtype=int32)
    """
    sizes, dynamic = dims_argument(size)
    inputs = (to_tensor(input_), to_tensor(begin), *dynamic)
    result: Tensor = apply(SLICE, inputs, size=sizes)
    return result


def strided_slice(
    input_: TensorLike,
    begin: TensorLike,
    end: TensorLike,
    strides: Ints | None = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Return `x[begin:end:strides]` per axis; bit i of a mask changes the meaning of item i.

    >>> print(strided_slice([1, 2, 3, 4], [0], [4], [2]))
    rt.Tensor([1 3], shape=(2,), dtype=int32)
    """
    starts, stops = _per_axis(begin), _per_axis(end)
    steps = [1] * len(starts) if strides is None else _per_axis(strides)
    if not len(starts) == len(stops) == len(steps):
        raise ShapeError(
            f"begin, end and strides must have one length, not {len(starts)}, {len(stops)} and "
            f"{len(steps)}"
        )
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    begins, ends, rest, new, shrunk = (static_int(mask, "a mask") for mask in masks)
    key: list[Any] = []
    for axis, (start, stop, step) in enumerate(zip(starts, stops, steps)):
        bit = 1 << axis
        if rest & bit:
            key.append(Ellipsis)
        elif new & bit:
            key.append(None)
        elif shrunk & bit:
            key.append(start)
        else:
            first = None if begins & bit else start
            last = None if ends & bit else stop
            key.append(builtins.slice(first, last, step))
    return get_item(input_, tuple(key))


def _per_axis(values: Any) -> list[Any]:
    if isinstance(values, (list, tuple)):
        return list(values)
    tensor = to_tensor(values)
    vector_length(tensor.spec)
    array = static_value(tensor)
    if array is not None:
        return list(array.tolist())
    length = tensor.shape[0]
    if length is None:
        known_array(tensor, "the number of slices")
    return [get_item(tensor, axis) for axis in range(length or 0)]


def _sliced(tensor: Tensor, parsed: _ParsedKey) -> Tensor:
    index = Index(tuple(parsed.items))
    result: Tensor = apply(STRIDED_SLICE, (tensor, *parsed.inputs), index=index)
    return result


class _ParsedKey:
    """A parsed Python key: its items, the scalar tensors among them, and the first array.

    With `many`, all arrays are among the items and inputs, like scalar tensors.
    """

    def __init__(self, key: Any, many: bool = False) -> None:
        self.items: list[Item] = []
        self.inputs: list[Tensor] = []
        self.array: Tensor | None = None
        self._position = 0
        self._many, self._has_more = many, False
        for item in key if isinstance(key, tuple) else (key,):
            self._add(item)
        if sum(item is ELLIPSIS for item in self.items) > 1:
            raise ArgumentValueError("an index must have at most one `...`")

    def is_advanced(self) -> bool:
        """Return whether there are several arrays, or one that is not adjacent to the ints."""
        assert self.array is not None
        width = (self.array.shape.rank or 1) if self.array.dtype is bool_ else 1
        behind = self.items[self._position + width :]
        return self._has_more or in_front([*self.items[: self._position], Input(0), *behind])

    def array_axis(self) -> int:
        """Return the axis of `array` after the other items have been applied."""
        before = self.items[: self._position]
        if ELLIPSIS not in before:
            return _kept(before)
        assert self.array is not None
        width = (self.array.shape.rank or 1) if self.array.dtype is bool_ else 1
        return -width - _kept(self.items[self._position + width :])

    def _add(self, item: Any) -> None:
        if item is None or item is Ellipsis:
            self.items.append(NEWAXIS if item is None else ELLIPSIS)
        elif isinstance(item, builtins.slice):
            self.items.append(HashableSlice(*map(self._part, (item.start, item.stop, item.step))))
        elif isinstance(item, (list, np.ndarray)) or is_tensor_like(item):
            self._add_tensor(to_tensor(item, int32 if is_empty(item) else None), item)
        else:
            self.items.append(_checked_int(item))

    def _add_tensor(self, tensor: Tensor, given: Any) -> None:
        if tensor.dtype is not bool_ and not tensor.dtype.is_integer:
            cast = with_name(given, "write rt.cast(x, rt.int32)")
            raise DTypeError(
                f"an index must be an integer or bool tensor, not {tensor.dtype.name}: {cast}"
            )
        scalar = tensor.shape.rank == 0 and tensor.dtype is not bool_
        if scalar or self._many:
            self.items.append(self._scalar(tensor) if scalar else self._input(tensor))
            return
        if self.array is not None:
            self._has_more = True
            return
        self.array, self._position = tensor, len(self.items)
        rank = tensor.shape.rank if tensor.dtype is bool_ else 1
        if rank is None:
            raise ShapeError("the rank of a boolean mask must be known: use rt.boolean_mask")
        self.items += [WHOLE] * rank

    def _part(self, part: Any) -> Part:
        if part is None:
            return None
        return self._scalar(to_tensor(part)) if is_tensor_like(part) else _checked_int(part)

    def _scalar(self, tensor: Tensor) -> int | Input:
        if not tensor.dtype.is_integer or tensor.shape.rank not in (None, 0):
            raise DTypeError(f"part of an index must be an integer scalar, not {tensor}")
        known = static_value(tensor)
        return self._input(tensor) if known is None else int(known)

    def _input(self, tensor: Tensor) -> Input:
        self.inputs.append(tensor)
        return Input(len(self.inputs) - 1)


def _kept(items: Sequence[Item]) -> int:
    """Return the number of dimensions of the result that come from the items."""
    return sum(isinstance(item, (HashableSlice, Marker)) for item in items)


def _checked_int(item: Any) -> int:
    if isinstance(item, (bool, np.bool_)) or not hasattr(item, "__index__"):
        raise DTypeError(f"an index must be ints, slices, `...`, None or tensors, not {item!r}")
    return static_int(item, "an index")
