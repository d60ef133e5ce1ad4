"""The embedding layer: a table of one vector per index."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import flag
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError
from runtime.nn.layers.image_arguments import is_whole
from runtime.nn.layers.layer import TensorLayer
from runtime.nn.layers.weight_values import give_weights
from runtime.nn.layers.weights import weight_options
from runtime.nn.registry import Identifier
from runtime.ops.arrays.gather import gather
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.comparison import not_equal


class Embedding(TensorLayer):
    """Looks up rows of a learned matrix by integers.

    A row that a step looks up several times has one gradient here, the sum over its lookups;
    optimizers that square gradients (Adam, RMSprop, Adagrad) square that sum, while Keras adds the
    squares.

    Args:
        input_dim: the number of rows.
        output_dim: the length of a row.
        embeddings_initializer, embeddings_regularizer, embeddings_constraint: those of the matrix.
        mask_zero: whether 0 stands for a missing item: the output then has a mask.
        weights: the initial matrix: an array, or a list of one array.

    Example:
        >>> Embedding(10, 4)([[1, 2, 0]]).shape
        TensorShape([1, 3, 4])
    """

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        embeddings_initializer: Identifier = "uniform",
        embeddings_regularizer: Identifier | None = None,
        embeddings_constraint: Identifier | None = None,
        mask_zero: bool = False,
        weights: TensorLike | None = None,
        **kwargs: Any,
    ) -> None:
        # An argument of Keras 2, the length of sequences, which follows from the input.
        length = kwargs.pop("input_length", None)
        super().__init__(**kwargs)
        if length is not None and self._own.input_shape is None:
            self._own.input_shape = (None, length)
        for what, size in (("input_dim", input_dim), ("output_dim", output_dim)):
            if not is_whole(size) or size < 1:
                raise ArgumentValueError(f"{what} must be a whole number above 0, not {size!r}")
        self.input_dim, self.output_dim = int(input_dim), int(output_dim)
        self.mask_zero = flag(mask_zero, "mask_zero")
        self.supports_masking = self.mask_zero
        self._embeddings_options = weight_options(
            embeddings_initializer, embeddings_regularizer, embeddings_constraint
        )
        self._given = weights if weights is None or isinstance(weights, list) else [weights]
        self.embeddings: Any = None

    def build(self, input_shape: Any) -> None:
        """Make the matrix, (input_dim, output_dim)."""
        shape = (self.input_dim, self.output_dim)
        self.embeddings = self._embeddings_options.create(self, "embeddings", shape)
        if self._given is not None:
            give_weights(self.name, [self.embeddings], self._given)
            self._given = None

    @property
    def _input_dtype(self) -> str | None:
        return "int32"

    def call(self, inputs: Any) -> Tensor:
        """Return the rows; negative numbers count from the end.

        Raises:
            OutOfBoundsError: there is no such row.
        """
        numbers = to_tensor(inputs)
        numbers = numbers if numbers.dtype.is_integer else cast(numbers, "int32")
        return gather(self.embeddings, numbers, wrap=True)

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        """Return a mask, True where the inputs are not 0, if `mask_zero` is true."""
        return not_equal(inputs, 0) if self.mask_zero else None

    def get_config(self) -> dict[str, Any]:
        """Return the arguments, without the values of the weights."""
        config = super().get_config()
        config.pop("weights")
        return config
