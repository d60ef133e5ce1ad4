"""The layer that adds something of what goes through it to the loss."""

from __future__ import annotations

from typing import Any

from runtime.nn.layers.layer import Layer
from runtime.nn.regularizers import L1L2


class ActivityRegularization(Layer):
    """Hands on what it is given, and adds to the loss: the more, the larger that is.

    Args:
        l1: times the sum of magnitudes.
        l2: times the sum of squares.

    Example:
        >>> layer = ActivityRegularization(l1=0.5)
        >>> _ = layer([[1.0, -3.0]])
        >>> [float(loss) for loss in layer.losses]
        [2.0]
    """

    def __init__(self, l1: float = 0.0, l2: float = 0.0, **kwargs: Any) -> None:
        super().__init__(activity_regularizer=L1L2(l1, l2), **kwargs)
        self.l1, self.l2 = l1, l2
        self.supports_masking = True

    def call(self, inputs: Any) -> Any:
        """Return the inputs."""
        return inputs
