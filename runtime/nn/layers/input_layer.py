"""The first of layers, which only says of what shape inputs are."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import unavailable
from runtime.core.shapes import as_shape
from runtime.errors import ArgumentValueError
from runtime.nn.layers.layer import Layer


class InputLayer(Layer):
    """Hands on what it is given, and says what shape that has.

    Args:
        shape: the shape of one input, without the batch.
        batch_size: the size of the batch, if it is always the same.
        sparse, optional: say nothing here, where all inputs are dense and given.
        ragged, input_tensor: not here.
        input_shape: another name of `shape`.

    Example:
        >>> InputLayer((28, 28)).batch_shape
        (None, 28, 28)
    """

    def __init__(
        self,
        shape: Any = None,
        batch_size: int | None = None,
        dtype: Any = None,
        sparse: bool | None = None,
        ragged: bool | None = None,
        batch_shape: Any = None,
        input_tensor: Any = None,
        optional: bool = False,
        name: str | None = None,
        input_shape: Any = None,
    ) -> None:
        pad = "pad the rows, by keras.utils.pad_sequences"
        unavailable(ragged, "InputLayer: ragged", pad, False)
        instead = "tf.keras.Input(tensor=...)"
        unavailable(input_tensor, "InputLayer: input_tensor", instead)
        super().__init__(name=name, dtype=dtype)
        one = input_shape if shape is None else shape
        if one is None and batch_shape is None:
            raise ArgumentValueError("an InputLayer needs the shape of an input: shape=(3,)")
        whole = as_shape(one if batch_shape is None else batch_shape).as_list()
        self.batch_shape = tuple(whole) if batch_shape is not None else (batch_size, *whole)
        self._own.input_shape = self.batch_shape

    def call(self, inputs: Any) -> Any:
        """Return the inputs."""
        return inputs

    def get_config(self) -> dict[str, Any]:
        """Return the arguments it is made of."""
        return {"batch_shape": list(self.batch_shape), "dtype": self.dtype, "name": self.name}
