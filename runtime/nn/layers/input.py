"""`Input` and `InputLayer`: the start of a functional model."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import unavailable
from runtime.core.dtypes import DTypeLike
from runtime.core.shapes import ShapeLike, as_shape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError
from runtime.nn.layers.layer import Layer
from runtime.nn.layers.symbolic import KerasTensor, Step


class InputLayer(Layer):
    """Returns its input, and declares its shape.

    Args:
        shape: the shape of one input, without the batch.
        batch_size: the size of the batch, if it is constant.
        sparse, optional: no effect here, since all inputs are dense and required.
        ragged, input_tensor: not supported.
        input_shape: another name of `shape`.

    Example:
        >>> InputLayer((28, 28)).batch_shape
        (None, 28, 28)
    """

    def __init__(
        self,
        shape: ShapeLike | None = None,
        batch_size: int | None = None,
        dtype: DTypeLike | None = None,
        sparse: bool | None = None,
        ragged: bool | None = None,
        batch_shape: ShapeLike | None = None,
        input_tensor: TensorLike | None = None,
        optional: bool = False,
        name: str | None = None,
        input_shape: ShapeLike | None = None,
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
        """Return the arguments of the layer."""
        return {"batch_shape": list(self.batch_shape), "dtype": self.dtype, "name": self.name}


# -- `Input` ---------------------------------------------------------------------------------------


def Input(
    shape: ShapeLike | None = None,
    batch_size: int | None = None,
    dtype: DTypeLike | None = None,
    sparse: bool | None = None,
    ragged: bool | None = None,
    batch_shape: ShapeLike | None = None,
    name: str | None = None,
    tensor: Tensor | None = None,
    optional: bool = False,
) -> Tensor:
    """Return a symbolic input: calls of layers and ops on it become steps of a functional model.

    Args:
        shape: the shape of one item, without the batch.
        batch_size: the size of the batch, if it is constant.
        dtype: float32 by default.
        sparse, optional: no effect here, since all inputs are dense and required.
        ragged: False or None; rows of different lengths are padded.
        batch_shape: the shape with the batch, in place of the first two.
        tensor: an existing input, which is returned.

    Raises:
        ArgumentValueError: the shape is missing.

    >>> Input((3,), name="x")
    <KerasTensor shape=(None, 3), dtype=float32, name=x>
    """
    if isinstance(tensor, KerasTensor):
        return tensor
    unavailable(ragged, "Input: ragged", "pad the rows, by keras.utils.pad_sequences", False)
    layer = InputLayer(shape, batch_size, dtype, batch_shape=batch_shape, name=name)
    return input_of(layer)


def input_of(layer: InputLayer) -> KerasTensor:
    """Return the symbolic output of an InputLayer, created on the first call."""
    if layer._own.steps:
        known: KerasTensor = layer._own.steps[0].outputs
        return known
    step = Step(layer, (), {})
    step.outputs = KerasTensor(TensorSpec(layer.batch_shape, layer._own.dtype), layer.name, step)
    layer._own.steps.append(step)
    layer._own.built = True
    return step.outputs
