"""The layer that multiplies with one number and adds another."""

from __future__ import annotations

from typing import Any

from runtime.nn.layers.floats import as_floats
from runtime.nn.layers.layer import Layer
from runtime.ops.convert import to_tensor


class Rescaling(Layer):
    """`inputs * scale + offset`, in floats.

    Args:
        scale, offset: numbers, or lists of numbers that broadcast with the inputs.

    Example:
        >>> print(Rescaling(1 / 255)([0, 255]))
        rt.Tensor([0. 1.], shape=(2,), dtype=float32)
    """

    def __init__(self, scale: Any, offset: Any = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.scale, self.offset = scale, offset
        self.supports_masking = True

    def call(self, inputs: Any) -> Any:
        """Return what the class says."""
        x: Any = as_floats(self, inputs)
        scale, offset = (to_tensor(each, x.dtype) for each in (self.scale, self.offset))
        return x * scale + offset
