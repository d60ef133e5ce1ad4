"""Losses of layers: of their calls, their regularized weights and regularized outputs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from runtime.core.context import current_recorder
from runtime.core.converter_hooks import run
from runtime.core.tensor import SymbolicTensor
from runtime.nn.layers.call_context import activated
from runtime.ops.arrays.shape import shape
from runtime.ops.constant import cast


def mean_loss(regularizer: Any, output: Any) -> Any:
    """Return the activity regularization of an output, divided by the size of the batch.

    >>> from runtime.ops.constant import constant
    >>> from runtime.ops.arrays.reduction import reduce_sum
    >>> float(mean_loss(reduce_sum, constant([[1.0], [2.0]])))
    1.5
    """
    loss = activated(regularizer, output)
    return loss if output.shape.rank == 0 else loss / cast(shape(output)[0], loss.dtype)


def usable_losses(layers: Iterable[Any]) -> list[Any]:
    """Return the losses of the last calls of layers and of their regularized weights.

    Losses that were recorded in another graph are omitted: they have no value here.
    """
    found: list[Any] = []
    layers = list(layers)
    for layer in layers:
        given = [run(each) if callable(each) else each for each in layer._own.losses]
        found += [each for each in given if _is_usable(each)]
    for layer in layers:
        pairs = layer._own.regularized
        found += [run(regularizer, weight) for weight, regularizer in pairs if weight.trainable]
    return found


def _is_usable(loss: Any) -> bool:
    if not isinstance(loss, SymbolicTensor):
        return True
    recorder: Any = current_recorder()
    while recorder is not None and recorder is not loss.graph:
        recorder = recorder.outer
    return recorder is not None
