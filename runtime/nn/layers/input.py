"""`Input`: where models that are put together of layers begin."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import unavailable
from runtime.core.spec import TensorSpec
from runtime.nn.layers.input_layer import InputLayer
from runtime.nn.layers.symbolic import Later, Step


def Input(
    shape: Any = None,
    batch_size: int | None = None,
    dtype: Any = None,
    sparse: bool | None = None,
    ragged: bool | None = None,
    batch_shape: Any = None,
    name: str | None = None,
    tensor: Any = None,
    optional: bool = False,
) -> Any:
    """Return an input of a model: layers and ops that take it are noted as steps of the model.

    Args:
        shape: the shape of one item, without the batch.
        batch_size: the size of the batch, if it is always the same.
        dtype: float32 by default.
        sparse, optional: say nothing here, where all inputs are dense and given.
        ragged: False or None; rows of different lengths are padded.
        batch_shape: the shape with the batch, in place of the first two.
        tensor: one of these, to be given back.

    Raises:
        ArgumentValueError: the shape is missing.

    >>> Input((3,), name="x")
    <KerasTensor shape=(None, 3), dtype=float32, name=x>
    """
    if isinstance(tensor, Later):
        return tensor
    unavailable(ragged, "Input: ragged", "pad the rows, by keras.utils.pad_sequences", False)
    layer = InputLayer(shape, batch_size, dtype, batch_shape=batch_shape, name=name)
    return input_of(layer)


def input_of(layer: InputLayer) -> Later:
    """Return the value that an InputLayer gives in a model."""
    if layer._own.steps:
        known: Later = layer._own.steps[0].outputs
        return known
    step = Step(layer, (), {})
    step.outputs = Later(TensorSpec(layer.batch_shape, layer._own.dtype), layer.name, step)
    layer._own.steps.append(step)
    layer._own.built = True
    return step.outputs
