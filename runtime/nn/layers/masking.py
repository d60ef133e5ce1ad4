"""The `Masking` layer, which computes a mask of time steps from their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.core.tensor import TensorLike
from runtime.nn.layers.layer import Layer
from runtime.ops.arrays.reduction import reduce_any
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.comparison import not_equal

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import RegularizableLayerOptions


class Masking(Layer):
    """Masks the steps of which all numbers are `mask_value`, and makes them 0.

    Args:
        mask_value: the number that all elements of a masked step have.

    Example:
        >>> from runtime.nn.layers.masks import mask_of
        >>> mask_of(Masking()([[[0.0, 0.0], [0.0, 1.0]]])).numpy()
        array([[False,  True]])
    """

    def __init__(
        self, mask_value: TensorLike = 0.0, **kwargs: Unpack[RegularizableLayerOptions]
    ) -> None:
        super().__init__(**kwargs)
        self.mask_value = mask_value
        self.supports_masking = True

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        """Return a mask, True for steps with a number other than `mask_value`."""
        return reduce_any(self._counts(inputs), -1)

    def call(self, inputs: Any) -> Any:
        """Return the inputs, with 0 for masked steps."""
        inputs = to_tensor(inputs)
        counts = reduce_any(self._counts(inputs), -1, keepdims=True)
        return inputs * cast(counts, inputs.dtype)

    def _counts(self, inputs: Any) -> Any:
        inputs, value = to_tensor(inputs), self.mask_value
        if inputs.dtype.is_integer and isinstance(value, float) and value.is_integer():
            value = int(value)
        return not_equal(inputs, value)
