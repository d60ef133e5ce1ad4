"""Layers that join tensors along an axis, or multiply along one."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import flag
from runtime.core.dtypes import bool_
from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn.layers.image_arguments import is_whole
from runtime.nn.layers.input_spec import known_shape
from runtime.nn.layers.layer import Layer
from runtime.nn.layers.merging import OfList, checked_list, checked_shapes, of_one_dtype
from runtime.ops.arrays.concatenation import concat
from runtime.ops.arrays.creation import ones_like
from runtime.ops.arrays.reduction import reduce_any
from runtime.ops.arrays.shape import expand_dims, reshape
from runtime.ops.arrays.shape import shape as shape_of
from runtime.ops.elementwise.logic import logical_and
from runtime.ops.linalg.einsum import einsum
from runtime.ops.linalg.matrices import transpose
from runtime.ops.neural.functions import l2_normalize

_LETTERS = "bcdefghijklmnopqrstuvwxyz"


class Concatenate(OfList):
    """Tensors one after the other along an axis.

    Args:
        axis: its number.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> Concatenate()([ones([2, 3]), ones([2, 4])]).shape
        TensorShape([2, 7])
    """

    def __init__(self, axis: int = -1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not is_whole(axis):
            raise ArgumentValueError(f"axis is the number of an axis, not {axis!r}")
        self.axis = int(axis)
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Look whether the shapes fit.

        Raises:
            ArgumentValueError: there is no list of inputs.
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

    def call(self, inputs: Any) -> Any:
        """Return the tensors joined."""
        return concat(of_one_dtype(checked_list(self, inputs)), self.axis)

    def _of_rows(self, rows: Any) -> Any:
        rank = len(rows.shape) - 1
        if not -rank <= self.axis < rank:
            raise ShapeError(f"layer {self.name!r}: rank {rank} has no axis {self.axis}")
        # The axis of the rows goes before the one that the tensors are joined along.
        axis = self.axis % rank
        places = [*range(1, axis + 1), 0, *range(axis + 1, rank + 1)]
        moved: Any = transpose(rows, places)
        sizes = [
            shape_of(moved)[at] if size is None else size for at, size in enumerate(moved.shape)
        ]
        return reshape(moved, [*sizes[:axis], -1, *sizes[axis + 2 :]])

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        """Return the masks joined in the same way; inputs without one count everywhere."""
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
        axes: the number of the axis, or two, one of each tensor.
        normalize: whether vectors along the axes are made of length 1 first.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> Dot(axes=(2, 1))([ones([2, 3, 4]), ones([2, 4, 5])]).shape
        TensorShape([2, 3, 5])
    """

    def __init__(self, axes: Any, normalize: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        pair = tuple(axes) if isinstance(axes, (list, tuple)) else (axes, axes)
        if len(pair) != 2 or not all(map(is_whole, pair)) or 0 in pair:
            raise ArgumentValueError(
                f"axes is the number of an axis other than 0, the batch, or two, not {axes!r}"
            )
        self.axes, self.normalize = axes, flag(normalize, "normalize")
        self._pair = pair
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Look whether the shapes fit; ShapeError if not."""
        shapes = checked_shapes(self, input_shape)
        if len(shapes) != 2:
            raise ArgumentValueError(f"layer {self.name!r} takes two tensors, not {len(shapes)}")
        sizes = [shape[axis] for shape, axis in zip(shapes, self._axes_of(shapes), strict=True)]
        if None not in sizes and sizes[0] != sizes[1]:
            raise ShapeError(
                f"layer {self.name!r}: the axes {self._pair} of shapes {shapes} differ in size"
            )

    def _axes_of(self, shapes: Any) -> list[int]:
        """Return the numbers of the axes, from 1."""
        found = []
        for shape, axis in zip(shapes, self._pair, strict=True):
            shape = known_shape(self, shape)
            if not -len(shape) < axis < len(shape) or len(shape) < 2:
                raise ShapeError(f"layer {self.name!r}: shape {shape} has no axis {axis}")
            found.append(axis % len(shape))
        return found

    def call(self, inputs: Any) -> Any:
        """Return what the class says; of two matrices shape (batch, 1)."""
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
