"""Layers that make one tensor of several, element by element."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import as_dtype
from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn.layers.inputs import are_shapes, as_inputs
from runtime.nn.layers.layer import Layer
from runtime.ops.arrays.reduction import (
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
)
from runtime.ops.arrays.shape import expand_dims
from runtime.ops.constant import cast
from runtime.ops.containers.list_runs import holds_runs, stacked
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import add, maximum, minimum, multiply, subtract
from runtime.ops.elementwise.logic import logical_or
from runtime.ops.elementwise.selection import where


class OfList(Layer):
    """A layer of a list of tensors, which may be a list of which only the graph knows the items."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return `call(...)`; for items that only the graph knows, what `_of_rows` gives.

        Raises:
            ArgumentValueError: the layer takes a number of tensors that has to be known.
        """
        inputs: Any = args[0] if args else kwargs.get("inputs")
        if not holds_runs(inputs):
            return super().__call__(*args, **kwargs)
        return self._of_rows(as_inputs(stacked(inputs, to_tensor), self._own.dtype))

    def _of_rows(self, rows: Any) -> Any:
        """Return the result for tensors of one shape, which are the rows of another tensor."""
        raise ArgumentValueError(
            f"layer {self.name!r} ({type(self).__name__}) is given a list whose length only the "
            "graph knows: give it a list of the tensors, [x, y]"
        )


class Merge(OfList):
    """Makes one tensor of a list of tensors that broadcast; those with fewer axes get more.

    Where all inputs have masks, a step of the output counts if it does in any of them.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Look whether the shapes can be merged.

        Raises:
            ArgumentValueError: there is no list of inputs.
            ShapeError: the batches are of different sizes.
        """
        shapes = checked_shapes(self, input_shape)
        batches = {shape[0] for shape in shapes if shape} - {None}
        if len(batches) > 1:
            raise ShapeError(
                f"layer {self.name!r}: the batches differ in size, as shapes {shapes} say"
            )

    def call(self, inputs: Any) -> Any:
        """Return the tensors merged."""
        same = same_ranks(of_one_dtype(checked_list(self, inputs)))
        found = same[0]
        for each in same[1:]:
            found = self._merged(found, each)
        return found

    def _merged(self, x: Any, y: Any) -> Any:
        """Return two tensors as one."""
        return add(x, y)

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        """Return where any of the inputs counts, if all of them have masks."""
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
        """Look whether there are two inputs that can be merged."""
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

    def call(self, inputs: Any) -> Any:
        """Return the mean."""
        return super().call(inputs) / len(inputs)

    def _of_rows(self, rows: Any) -> Any:
        return reduce_mean(rows, 0)


class MaskedMerge(Merge):
    """A merge in which what is masked gives way to what is not."""

    def call(self, inputs: Any, mask: Any = None) -> Any:
        """Return the tensors merged, element by element those that count."""
        tensors = same_ranks(of_one_dtype(checked_list(self, inputs)))
        masks = list(mask) if isinstance(mask, (list, tuple)) else [mask] * len(tensors)
        found, known = tensors[0], _fitted(masks[0], tensors[0])
        for tensor, own in zip(tensors[1:], masks[1:], strict=True):
            also = _fitted(own, tensor)
            found = self._chosen(found, known, tensor, also)
            known = None if known is None or also is None else logical_or(known, also)
        return found

    def _chosen(self, x: Any, of_x: Any, y: Any, of_y: Any) -> Any:
        """Return x and y as one where both count, else the one that does, else x."""
        both = self._merged(x, y)
        if of_y is not None:
            both = where(of_y, both, x)
        if of_x is None:
            return both
        return where(of_x, both, y if of_y is None else where(of_y, y, x))


class Multiply(MaskedMerge):
    """The product of the inputs; what is masked in all of them is 0.

    Example:
        >>> from runtime.ops.constant import constant
        >>> print(Multiply()([constant([1.0, 2.0]), constant([3.0, 4.0])]))
        rt.Tensor([3. 8.], shape=(2,), dtype=float32)
    """

    def _merged(self, x: Any, y: Any) -> Any:
        return multiply(x, y)

    def _of_rows(self, rows: Any) -> Any:
        return reduce_prod(rows, 0)

    def call(self, inputs: Any, mask: Any = None) -> Any:
        """Return the product."""
        found = super().call(inputs, mask)
        counts = self.compute_mask(inputs, mask)
        if counts is None or not isinstance(mask, (list, tuple)):
            return found
        return where(_fitted(counts, found), found, cast(0, found.dtype))


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
    """Return inputs as a list; ArgumentValueError unless they are a list of tensors."""
    if isinstance(inputs, (list, tuple)) and inputs and all(hasattr(x, "shape") for x in inputs):
        return list(inputs)
    raise ArgumentValueError(
        f"layer {layer.name!r} ({type(layer).__name__}) takes a list of tensors"
    )


def checked_shapes(layer: Any, shapes: Any) -> list[Any]:
    """Return shapes as a list; ArgumentValueError if they are one shape, or none."""
    # A list of nothing but None may be shapes that are unknown, which `call` looks at again.
    if shapes is None or hasattr(shapes, "dims") or (are_shapes(shapes) and any(shapes)):
        checked_list(layer, None)
    found = list(shapes)
    if any(isinstance(each, int) for each in found):
        checked_list(layer, None)
    return found


def of_one_dtype(tensors: list[Any]) -> list[Any]:
    """Return tensors with one dtype: that of the widest float, or of the widest integer.

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
    """Return tensors with as many axes as the one with most of them; new ones follow the batch."""
    ranks = [tensor.shape.rank for tensor in tensors]
    if None in ranks:
        return tensors
    most = max(ranks)
    return [_with_axes(tensor, most - rank) for tensor, rank in zip(tensors, ranks, strict=True)]


def _with_axes(tensor: Any, count: int) -> Any:
    for _ in range(count):
        tensor = expand_dims(tensor, min(tensor.shape.rank, 1))
    return tensor


def _fitted(mask: Any, tensor: Any) -> Any:
    """Return a mask with as many axes as a tensor."""
    if mask is None:
        return None
    mask = to_tensor(mask)
    if mask.shape.rank is None or tensor.shape.rank is None:
        return mask
    for _ in range(tensor.shape.rank - mask.shape.rank):
        mask = expand_dims(mask, -1)
    return mask
