"""Layers that merge several tensors: add, multiply, concatenate, dot, ..."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.core.argument_checks import flag
from runtime.core.dtypes import as_dtype, bool_
from runtime.core.shapes import AxisLike
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn.layers.image_arguments import is_whole
from runtime.nn.layers.input_conversion import are_shapes, as_inputs
from runtime.nn.layers.input_spec import known_shape
from runtime.nn.layers.layer import Layer
from runtime.ops.arrays.concatenation import concat
from runtime.ops.arrays.creation import ones_like
from runtime.ops.arrays.reduction import (
    reduce_any,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
)
from runtime.ops.arrays.shape import expand_dims, reshape
from runtime.ops.arrays.shape import shape as shape_of
from runtime.ops.constant import cast
from runtime.ops.containers.dynamic_items import holds_dynamic_items, stacked
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import add, maximum, minimum, multiply, subtract
from runtime.ops.elementwise.logic import logical_and, logical_or
from runtime.ops.elementwise.selection import where
from runtime.ops.linalg.einsum import einsum
from runtime.ops.linalg.matrices import transpose
from runtime.ops.linalg.norms import l2_normalize

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import RegularizableLayerOptions


class ListLayer(Layer):
    """The base class of layers of a list of tensors, which may be a list with dynamic items."""

    def __call__(self, *args: Any, **kwargs: Any) -> Tensor:
        """Return `call(...)`, or the result of `_of_rows` for dynamic items.

        Raises:
            ArgumentValueError: the layer needs a known number of tensors.
        """
        inputs: Any = args[0] if args else kwargs.get("inputs")
        if not holds_dynamic_items(inputs):
            return super().__call__(*args, **kwargs)
        return self._of_rows(as_inputs(stacked(inputs, to_tensor), self._own.dtype))

    def _of_rows(self, rows: Any) -> Tensor:
        """Return the result for dynamic items, stacked along the first axis."""
        raise ArgumentValueError(
            f"layer {self.name!r} ({type(self).__name__}) is given a list whose length only the "
            "graph knows: give it a list of the tensors, [x, y]"
        )


class Merge(ListLayer):
    """Merges a list of tensors of broadcastable shapes; axes are added to those with fewer.

    If all inputs have masks, a step of the output counts if it counts in any of them.
    """

    def __init__(self, **kwargs: Unpack[RegularizableLayerOptions]) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Check that the shapes can be merged.

        Raises:
            ArgumentValueError: the inputs are not a list.
            ShapeError: the batches have different sizes.
        """
        shapes = checked_shapes(self, input_shape)
        batches = {shape[0] for shape in shapes if shape} - {None}
        if len(batches) > 1:
            raise ShapeError(
                f"layer {self.name!r}: all inputs must have one batch size, not shapes {shapes}"
            )

    def call(self, inputs: Any) -> Tensor:
        """Return the merged tensors."""
        same = same_ranks(of_one_dtype(checked_list(self, inputs)))
        found = same[0]
        for each in same[1:]:
            found = self._merged(found, each)
        return found

    def _merged(self, x: Any, y: Any) -> Any:
        """Return two tensors merged."""
        return add(x, y)

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        """Return a mask, True where any of the inputs counts, if all of them have masks."""
        if not isinstance(previous_mask, (list, tuple)):
            return previous_mask
        if any(mask is None for mask in previous_mask):
            return None
        found = previous_mask[0]
        for each in previous_mask[1:]:
            found = logical_or(found, each)
        return found


class Add(Merge):
    """The sum of the inputs.

    Example:
        >>> from runtime.ops.constant import constant
        >>> print(Add()([constant([1.0, 2.0]), constant([3.0, 4.0])]))
        rt.Tensor([4. 6.], shape=(2,), dtype=float32)
    """

    def _of_rows(self, rows: Any) -> Any:
        return reduce_sum(rows, 0)


class Subtract(Merge):
    """The first of two inputs less the second.

    Example:
        >>> from runtime.ops.constant import constant
        >>> print(Subtract()([constant([1.0, 2.0]), constant([3.0, 4.0])]))
        rt.Tensor([-2. -2.], shape=(2,), dtype=float32)
    """

    def build(self, input_shape: Any) -> None:
        """Check that there are two inputs that can be merged."""
        super().build(input_shape)
        if len(checked_shapes(self, input_shape)) != 2:
            raise ArgumentValueError(
                f"layer {self.name!r} takes two tensors, not {len(input_shape)}"
            )

    def _merged(self, x: Any, y: Any) -> Any:
        return subtract(x, y)


class Average(Merge):
    """The mean of the inputs.

    Example:
        >>> from runtime.ops.constant import constant
        >>> print(Average()([constant([1.0, 2.0]), constant([3.0, 4.0])]))
        rt.Tensor([2. 3.], shape=(2,), dtype=float32)
    """

    def call(self, inputs: Any) -> Tensor:
        """Return the mean."""
        return super().call(inputs) / len(inputs)

    def _of_rows(self, rows: Any) -> Any:
        return reduce_mean(rows, 0)


class MaskedMerge(Merge):
    """A merge in which unmasked elements replace masked ones."""

    def call(self, inputs: Any, mask: Any = None) -> Tensor:
        """Return the merged tensors; each element merges only the unmasked inputs."""
        tensors = same_ranks(of_one_dtype(checked_list(self, inputs)))
        masks = list(mask) if isinstance(mask, (list, tuple)) else [mask] * len(tensors)
        found, known = tensors[0], _mask_of_rank(masks[0], tensors[0])
        for tensor, own in zip(tensors[1:], masks[1:], strict=True):
            also = _mask_of_rank(own, tensor)
            found = self._chosen(found, known, tensor, also)
            known = None if known is None or also is None else logical_or(known, also)
        return found

    def _chosen(self, x: Any, of_x: Any, y: Any, of_y: Any) -> Any:
        """Return x and y merged where both count, else the one that counts, else x."""
        both = self._merged(x, y)
        if of_y is not None:
            both = where(of_y, both, x)
        if of_x is None:
            return both
        return where(of_x, both, y if of_y is None else where(of_y, y, x))


class Multiply(MaskedMerge):
    """The product of the inputs; an element masked in all of them is 0.

    Example:
        >>> from runtime.ops.constant import constant
        >>> print(Multiply()([constant([1.0, 2.0]), constant([3.0, 4.0])]))
        rt.Tensor([3. 8.], shape=(2,), dtype=float32)
    """

    def _merged(self, x: Any, y: Any) -> Any:
        return multiply(x, y)

    def _of_rows(self, rows: Any) -> Any:
        return reduce_prod(rows, 0)

    def call(self, inputs: Any, mask: Any = None) -> Tensor:
        """Return the product."""
        found = super().call(inputs, mask)
        counts = self.compute_mask(inputs, mask)
        if counts is None or not isinstance(mask, (list, tuple)):
            return found
        return where(_mask_of_rank(counts, found), found, cast(0, found.dtype))


class Maximum(MaskedMerge):
    """The largest of the inputs, element by element.

    Example:
        >>> from runtime.ops.constant import constant
        >>> print(Maximum()([constant([1.0, 2.0]), constant([3.0, 4.0])]))
        rt.Tensor([3. 4.], shape=(2,), dtype=float32)
    """

    def _merged(self, x: Any, y: Any) -> Any:
        return maximum(x, y)

    def _of_rows(self, rows: Any) -> Any:
        return reduce_max(rows, 0)


class Minimum(MaskedMerge):
    """The smallest of the inputs, element by element.

    Example:
        >>> from runtime.ops.constant import constant
        >>> print(Minimum()([constant([1.0, 2.0]), constant([3.0, 4.0])]))
        rt.Tensor([1. 2.], shape=(2,), dtype=float32)
    """

    def _merged(self, x: Any, y: Any) -> Any:
        return minimum(x, y)

    def _of_rows(self, rows: Any) -> Any:
        return reduce_min(rows, 0)


def checked_list(layer: Any, inputs: Any) -> list[Any]:
    """Return inputs as a list; ArgumentValueError unless they are a list or tuple of tensors."""
    if isinstance(inputs, (list, tuple)) and inputs and all(hasattr(x, "shape") for x in inputs):
        return list(inputs)
    kind = type(layer).__name__
    raise ArgumentValueError(
        f"layer {layer.name!r} ({kind}) takes a list of tensors: write layer([x, y])"
    )


def checked_shapes(layer: Any, shapes: Any) -> list[Any]:
    """Return shapes as a list; ArgumentValueError if they are one shape, or none."""
    # A list of None may be a list of unknown shapes; `call` checks the tensors again.
    if shapes is None or hasattr(shapes, "dims") or (are_shapes(shapes) and any(shapes)):
        checked_list(layer, None)
    found = list(shapes)
    if any(isinstance(each, int) for each in found):
        checked_list(layer, None)
    return found


def of_one_dtype(tensors: list[Any]) -> list[Any]:
    """Return tensors cast to their common dtype: the widest float, else the widest integer.

    >>> [each.dtype for each in of_one_dtype([to_tensor([1]), to_tensor([0.5])])]
    [rt.float32, rt.float32]
    """
    dtypes = list(dict.fromkeys(tensor.dtype for tensor in tensors))
    if len(dtypes) == 1 or not all(each.is_numeric or each.is_bool for each in dtypes):
        return tensors
    floats = [each for each in dtypes if each.is_floating or each.is_complex]
    joint = as_dtype(np.result_type(*(each.np_dtype for each in floats or dtypes)))
    return [tensor if tensor.dtype is joint else cast(tensor, joint) for tensor in tensors]


def same_ranks(tensors: list[Any]) -> list[Any]:
    """Return tensors of the largest rank among them; new axes of size 1 follow the batch."""
    ranks = [tensor.shape.rank for tensor in tensors]
    if None in ranks:
        return tensors
    most = max(ranks)
    return [_with_axes(tensor, most - rank) for tensor, rank in zip(tensors, ranks, strict=True)]


def _with_axes(tensor: Any, count: int) -> Any:
    for _ in range(count):
        tensor = expand_dims(tensor, min(tensor.shape.rank, 1))
    return tensor


def _mask_of_rank(mask: Any, tensor: Any) -> Any:
    """Return a mask with as many axes as a tensor: axes of size 1 are appended."""
    if mask is None:
        return None
    mask = to_tensor(mask)
    if mask.shape.rank is None or tensor.shape.rank is None:
        return mask
    for _ in range(tensor.shape.rank - mask.shape.rank):
        mask = expand_dims(mask, -1)
    return mask


# -- concatenation and products along an axis ------------------------------------------------------


_LETTERS = "bcdefghijklmnopqrstuvwxyz"


class Concatenate(ListLayer):
    """Concatenates tensors along an axis.

    Args:
        axis: the axis, counted with the batch.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> Concatenate()([ones([2, 3]), ones([2, 4])]).shape
        TensorShape([2, 7])
    """

    def __init__(self, axis: int = -1, **kwargs: Unpack[RegularizableLayerOptions]) -> None:
        super().__init__(**kwargs)
        if not is_whole(axis):
            raise ArgumentValueError(f"axis must be an int, not {axis!r}")
        self.axis = int(axis)
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Check the shapes.

        Raises:
            ArgumentValueError: the inputs are not a list.
            ShapeError: shapes differ in other axes, or have no such axis.
        """
        shapes = [shape for shape in checked_shapes(self, input_shape) if shape is not None]
        for shape in shapes:
            if not -len(shape) <= self.axis < len(shape):
                raise ShapeError(f"layer {self.name!r}: shape {shape} has no axis {self.axis}")
            if len(shape) != len(shapes[0]) or any(
                None not in pair and pair[0] != pair[1] and n != self.axis % len(shape)
                for n, pair in enumerate(zip(shape, shapes[0]))
            ):
                raise ShapeError(
                    f"layer {self.name!r} joins along axis {self.axis}: shapes {shapes} differ "
                    "elsewhere"
                )

    def call(self, inputs: Any) -> Tensor:
        """Return the concatenated tensors."""
        return concat(of_one_dtype(checked_list(self, inputs)), self.axis)

    def _of_rows(self, rows: Any) -> Any:
        rank = len(rows.shape) - 1
        if not -rank <= self.axis < rank:
            raise ShapeError(f"layer {self.name!r}: rank {rank} has no axis {self.axis}")
        # The axis of the items moves in front of the axis of the concatenation.
        axis = self.axis % rank
        places = [*range(1, axis + 1), 0, *range(axis + 1, rank + 1)]
        moved: Any = transpose(rows, places)
        sizes = [
            shape_of(moved)[at] if size is None else size for at, size in enumerate(moved.shape)
        ]
        return reshape(moved, [*sizes[:axis], -1, *sizes[axis + 2 :]])

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        """Return the concatenated masks; an input without one counts everywhere."""
        if not isinstance(previous_mask, (list, tuple)):
            return None
        masks = [
            self._mask(tensor, mask) for tensor, mask in zip(inputs, previous_mask, strict=True)
        ]
        return reduce_any(concat(masks, self.axis), -1)

    def _mask(self, tensor: Any, mask: Any) -> Any:
        everywhere = ones_like(tensor, bool_)
        if mask is None:
            return everywhere
        while mask.shape.rank < tensor.shape.rank:
            mask = expand_dims(mask, -1)
        return logical_and(everywhere, mask)


class Dot(Layer):
    """Sums of products of two tensors along an axis of each, for each pair in the batch.

    Args:
        axes: the axis of both tensors, or a pair of axes.
        normalize: whether vectors along the axes are first scaled to length 1.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> Dot(axes=(2, 1))([ones([2, 3, 4]), ones([2, 4, 5])]).shape
        TensorShape([2, 3, 5])
    """

    def __init__(
        self, axes: AxisLike, normalize: bool = False, **kwargs: Unpack[RegularizableLayerOptions]
    ) -> None:
        super().__init__(**kwargs)
        pair = tuple(axes) if isinstance(axes, (list, tuple)) else (axes, axes)
        if len(pair) != 2 or not all(map(is_whole, pair)) or 0 in pair:
            raise ArgumentValueError(
                f"axes must be one axis or a pair of axes, without 0, the batch, not {axes!r}"
            )
        self.axes, self.normalize = axes, flag(normalize, "normalize")
        self._pair = pair
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Check the shapes; ShapeError if they do not match."""
        shapes = checked_shapes(self, input_shape)
        if len(shapes) != 2:
            raise ArgumentValueError(f"layer {self.name!r} takes two tensors, not {len(shapes)}")
        sizes = [shape[axis] for shape, axis in zip(shapes, self._axes_of(shapes), strict=True)]
        if None not in sizes and sizes[0] != sizes[1]:
            raise ShapeError(
                f"layer {self.name!r}: the axes {self._pair} of shapes {shapes} differ in size"
            )

    def _axes_of(self, shapes: Any) -> list[int]:
        """Return the axis of each tensor as a positive number."""
        found = []
        for shape, axis in zip(shapes, self._pair, strict=True):
            shape = known_shape(self, shape)
            if not -len(shape) < axis < len(shape) or len(shape) < 2:
                raise ShapeError(f"layer {self.name!r}: shape {shape} has no axis {axis}")
            found.append(axis % len(shape))
        return found

    def call(self, inputs: Any) -> Any:
        """Return the sums of products; for two matrices the shape is (batch, 1)."""
        pair = of_one_dtype(checked_list(self, inputs))
        axes = self._axes_of([each.shape.dims for each in pair])
        if self.normalize:
            pair = [l2_normalize(each, axis) for each, axis in zip(pair, axes, strict=True)]
        ranks = [each.shape.rank for each in pair]
        letters = iter(_LETTERS)
        terms = [[next(letters) for _ in range(rank - 1)] for rank in ranks]
        for term, axis in zip(terms, axes, strict=True):
            term[axis - 1] = "z"
        result = [letter for term in terms for letter in term if letter != "z"]
        x, y, z = ("a" + "".join(each) for each in (*terms, result))
        found = einsum(f"{x},{y}->{z}", *pair)
        return expand_dims(found, -1) if ranks == [2, 2] else found

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        """Return no mask."""
        return None
