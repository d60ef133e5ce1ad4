"""Layers that change the order of axes, or repeat inputs."""

from __future__ import annotations

from typing import Any

from runtime.errors import ArgumentValueError
from runtime.nn.layers.image_arguments import is_whole
from runtime.nn.layers.input_spec import InputSpec
from runtime.nn.layers.layer import Layer
from runtime.ops.arrays.concatenation import repeat
from runtime.ops.arrays.shape import expand_dims
from runtime.ops.linalg.matrices import transpose


class Permute(Layer):
    """Puts the axes of each input into another order.

    Args:
        dims: the numbers of the axes, from 1: the batch, 0, stays first.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> Permute((2, 1))(ones([1, 2, 3])).shape
        TensorShape([1, 3, 2])
    """

    def __init__(self, dims: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.dims = tuple(dims) if isinstance(dims, (list, tuple)) else (dims,)
        if not all(map(is_whole, self.dims)) or sorted(self.dims) != list(
            range(1, len(self.dims) + 1)
        ):
            raise ArgumentValueError(
                f"dims are the numbers of all axes, from 1, in their new order, not {dims!r}"
            )
        self.input_spec = InputSpec(ndim=len(self.dims) + 1)

    def call(self, inputs: Any) -> Any:
        """Return the inputs with their axes in the new order."""
        return transpose(inputs, (0, *self.dims))


class RepeatVector(Layer):
    """Makes a sequence of each vector: the same one `n` times.

    Args:
        n: how often.

    Example:
        >>> print(RepeatVector(2)([[1.0, 2.0]]))
        rt.Tensor(
        [[[1. 2.]
          [1. 2.]]], shape=(1, 2, 2), dtype=float32)
    """

    def __init__(self, n: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not is_whole(n) or n < 0:
            raise ArgumentValueError(f"n is a whole number from 0, not {n!r}")
        self.n = int(n)
        self.input_spec = InputSpec(ndim=2)

    def call(self, inputs: Any) -> Any:
        """Return shape (batch, n, size) for (batch, size)."""
        return repeat(expand_dims(inputs, 1), self.n, 1)
