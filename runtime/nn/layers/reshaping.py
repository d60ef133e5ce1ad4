"""Layers that reshape, permute or repeat inputs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from runtime.core.argument_checks import choice, listed
from runtime.core.shapes import ShapeLike
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn.layers.image_arguments import is_whole
from runtime.nn.layers.input_spec import InputSpec
from runtime.nn.layers.layer import TensorLayer
from runtime.ops.arguments import static_int
from runtime.ops.arrays.concatenation import repeat
from runtime.ops.arrays.shape import expand_dims, reshape, shape
from runtime.ops.convert import to_tensor
from runtime.ops.infer import check_rank_at_least
from runtime.ops.linalg.matrices import transpose

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import RegularizableLayerOptions


class Reshape(TensorLayer):
    """Changes the shape of each input of a batch.

    Args:
        target_shape: the shape without the batch; one size may be -1.

    Example:
        >>> print(Reshape((1, -1))([[1, 2]]))
        rt.Tensor([[[1 2]]], shape=(1, 1, 2), dtype=int32)
    """

    def __init__(
        self, target_shape: ShapeLike, **kwargs: Unpack[RegularizableLayerOptions]
    ) -> None:
        super().__init__(**kwargs)
        sizes = [target_shape] if isinstance(target_shape, int) else target_shape
        sizes = listed(sizes, "target_shape")
        self.target_shape = tuple(static_int(size, "a size") for size in sizes)
        if sum(size == -1 for size in self.target_shape) > 1:
            raise ArgumentValueError(f"target_shape must have at most one -1, not {target_shape}")

    def call(self, inputs: Any) -> Tensor:
        """Return the inputs in their new shape."""
        inputs = to_tensor(inputs)
        check_rank_at_least(inputs.spec, 1)
        dims = inputs.shape.dims
        if dims is None:
            return reshape(inputs, (shape(inputs)[0], *self.target_shape))
        target = self._resolved(dims[1:])
        return reshape(inputs, (_size(inputs, dims[0], -1 not in target), *target))

    def _resolved(self, dims: Any) -> tuple[int, ...]:
        """Return the target shape, with -1 replaced by its size if that is known."""
        if None in dims:
            return self.target_shape
        total = math.prod(dims)
        known = math.prod(size for size in self.target_shape if size != -1)
        open_ = -1 in self.target_shape
        if (total % known if open_ and known else total != known) or (open_ and not known):
            raise ShapeError(
                f"layer {self.name!r} cannot make {self.target_shape} of inputs of shape {dims}: "
                "the number of elements must stay the same"
            )
        return tuple(total // known if size == -1 else size for size in self.target_shape)


class Flatten(TensorLayer):
    """Flattens each input of a batch to a vector.

    Args:
        data_format: "channels_first" moves the channels, the second axis, to the end first.

    Example:
        >>> print(Flatten()([[[1, 2], [3, 4]]]))
        rt.Tensor([[1 2 3 4]], shape=(1, 4), dtype=int32)
    """

    def __init__(
        self, data_format: str | None = None, **kwargs: Unpack[RegularizableLayerOptions]
    ) -> None:
        super().__init__(**kwargs)
        choice(data_format, "data_format", (None, "channels_first", "channels_last"))
        self.data_format = data_format or "channels_last"
        self.input_spec = InputSpec(min_ndim=1)

    def call(self, inputs: Any) -> Tensor:
        """Return a matrix with one row for each input."""
        inputs = to_tensor(inputs)
        check_rank_at_least(inputs.spec, 1)
        dims = inputs.shape.dims
        if dims is None:
            return reshape(inputs, (shape(inputs)[0], -1))
        if self.data_format == "channels_first" and len(dims) > 2:
            inputs = transpose(inputs, (0, *range(2, len(dims)), 1))
        if None in dims[1:]:
            return reshape(inputs, (_size(inputs, dims[0], False), -1))
        return reshape(inputs, (_size(inputs, dims[0], True), math.prod(dims[1:])))


def _size(inputs: Any, known: int | None, may_be_left_open: bool) -> Any:
    """Return the size of the batch, -1 if `reshape` can infer it."""
    if known is not None:
        return known
    return -1 if may_be_left_open else shape(inputs)[0]


# -- order of axes, and repetition -----------------------------------------------------------------


class Permute(TensorLayer):
    """Reorders the axes of each input.

    Args:
        dims: the numbers of the axes, from 1: the batch, 0, stays first.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> Permute((2, 1))(ones([1, 2, 3])).shape
        TensorShape([1, 3, 2])
    """

    def __init__(self, dims: ShapeLike, **kwargs: Unpack[RegularizableLayerOptions]) -> None:
        super().__init__(**kwargs)
        self.dims = tuple(dims) if isinstance(dims, (list, tuple)) else (dims,)
        if not all(map(is_whole, self.dims)) or sorted(self.dims) != list(
            range(1, len(self.dims) + 1)
        ):
            raise ArgumentValueError(
                f"dims must be the axes, counted from 1, in their new order, not {dims!r}"
            )
        self.input_spec = InputSpec(ndim=len(self.dims) + 1)

    def call(self, inputs: Any) -> Tensor:
        """Return the inputs with their axes in the new order."""
        return transpose(inputs, (0, *self.dims))


class RepeatVector(TensorLayer):
    """Repeats each vector `n` times, as the steps of a sequence.

    Args:
        n: the number of steps.

    Example:
        >>> print(RepeatVector(2)([[1.0, 2.0]]))
        rt.Tensor(
        [[[1. 2.]
          [1. 2.]]], shape=(1, 2, 2), dtype=float32)
    """

    def __init__(self, n: int, **kwargs: Unpack[RegularizableLayerOptions]) -> None:
        super().__init__(**kwargs)
        if not is_whole(n) or n < 0:
            raise ArgumentValueError(f"n must be a whole number of at least 0, not {n!r}")
        self.n = int(n)
        self.input_spec = InputSpec(ndim=2)

    def call(self, inputs: Any) -> Tensor:
        """Return shape (batch, n, size) for (batch, size)."""
        return repeat(expand_dims(inputs, 1), self.n, 1)
