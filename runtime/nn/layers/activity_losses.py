"""What the outputs of layers add to the loss of a model."""

from __future__ import annotations

from typing import Any

from runtime.nn.layers.activated import activated
from runtime.ops.arrays.shape import shape
from runtime.ops.constant import cast


def mean_loss(regularizer: Any, output: Any) -> Any:
    """Return what an output adds to the loss, per element of the batch.

    >>> from runtime.ops.constant import constant
    >>> from runtime.ops.arrays.reduction import reduce_sum
    >>> float(mean_loss(reduce_sum, constant([[1.0], [2.0]])))
    1.5
    """
    loss = activated(regularizer, output)
    return loss if output.shape.rank == 0 else loss / cast(shape(output)[0], loss.dtype)
