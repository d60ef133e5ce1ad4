"""Zero padding and cropping layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from runtime.core.tensor import Tensor
from runtime.errors import ShapeError
from runtime.nn.layers.image_arguments import SpatialLayer, pairs_argument
from runtime.ops.arrays.padding import pad

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import RegularizableLayerOptions


class ZeroPadding(SpatialLayer):
    """Adds zeros before and after each spatial axis.

    Args:
        padding: a number for all sides, one for both sides of each axis, or a pair for each.
        data_format: "channels_last" or "channels_first".
    """

    _config_attributes: tuple[str, ...] = ("padding", "data_format")

    def __init__(
        self,
        padding: int | Sequence[int] | Sequence[Sequence[int]] = 1,
        data_format: str | None = None,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(data_format, **kwargs)
        pairs = pairs_argument(padding, self.rank, "padding")
        self.padding: Any = pairs[0] if self.rank == 1 else pairs
        self._pairs = pairs

    def call(self, inputs: Any) -> Tensor:
        """Return the inputs with zeros around them."""
        amounts = [(0, 0)] * (self.rank + 2)
        amounts[self._first_spatial_axis : self._first_spatial_axis + self.rank] = self._pairs
        nothing: Any = False if inputs.dtype.is_bool else 0
        return pad(inputs, amounts, constant_values=nothing)


class Cropping(SpatialLayer):
    """Cuts off the beginning and the end of each spatial axis.

    Args:
        cropping: a number for all sides, one for both sides of each axis, or a pair for each.
        data_format: "channels_last" or "channels_first".
    """

    _config_attributes: tuple[str, ...] = ("cropping", "data_format")

    def __init__(
        self,
        cropping: int | Sequence[int] | Sequence[Sequence[int]],
        data_format: str | None = None,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(data_format, **kwargs)
        pairs = pairs_argument(cropping, self.rank, "cropping")
        self.cropping: Any = pairs[0] if self.rank == 1 else pairs
        self._pairs = pairs

    def call(self, inputs: Any) -> Tensor:
        """Return the cropped inputs; ShapeError if nothing is left."""
        sizes = inputs.shape.dims
        if sizes is not None:
            self._check(sizes[self._first_spatial_axis : self._first_spatial_axis + self.rank])
        kept = [slice(before, -after or None) for before, after in self._pairs]
        return inputs[(*(slice(None),) * self._first_spatial_axis, *kept)]

    def _check(self, sizes: Any) -> None:
        for size, pair in zip(sizes, self._pairs, strict=True):
            if size is not None and sum(pair) >= size:
                raise ShapeError(
                    f"layer {self.name!r} cannot cut {pair} off an axis of size {size}: nothing "
                    "would be left"
                )


class ZeroPadding1D(ZeroPadding):
    """Zeros before and after the steps of sequences, (batch, steps, channels).

    Example:
        >>> ZeroPadding1D((1, 2))([[[5.0]]]).numpy().ravel()
        array([0., 5., 0., 0.], dtype=float32)
    """

    rank = 1


class ZeroPadding2D(ZeroPadding):
    """Zeros around images, (batch, height, width, channels).

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> ZeroPadding2D(((1, 0), (2, 2)))(ones([1, 3, 3, 1])).shape
        TensorShape([1, 4, 7, 1])
    """

    rank = 2

    def __init__(
        self,
        padding: int | Sequence[int] | Sequence[Sequence[int]] = (1, 1),
        data_format: str | None = None,
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(padding, data_format, **kwargs)


class ZeroPadding3D(ZeroPadding):
    """Zeros around volumes, (batch, depth, height, width, channels).

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> ZeroPadding3D(1)(ones([1, 3, 4, 5, 1])).shape
        TensorShape([1, 5, 6, 7, 1])
    """

    rank = 3

    def __init__(
        self,
        padding: int | Sequence[int] | Sequence[Sequence[int]] = ((1, 1), (1, 1), (1, 1)),
        data_format: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(padding, data_format, **kwargs)


class Cropping1D(Cropping):
    """Sequences without their first and last steps.

    Example:
        >>> Cropping1D((0, 1))([[[1.0], [2.0]]]).numpy().ravel()
        array([1.], dtype=float32)
    """

    rank = 1
    _config_attributes: tuple[str, ...] = ("cropping",)

    def __init__(
        self,
        cropping: int | Sequence[int] | Sequence[Sequence[int]] = (1, 1),
        **kwargs: Unpack[RegularizableLayerOptions],
    ) -> None:
        super().__init__(cropping, **kwargs)


class Cropping2D(Cropping):
    """Images without their borders.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> Cropping2D(((1, 0), (2, 1)))(ones([1, 5, 5, 1])).shape
        TensorShape([1, 4, 2, 1])
    """

    rank = 2

    def __init__(
        self,
        cropping: int | Sequence[int] | Sequence[Sequence[int]] = ((0, 0), (0, 0)),
        data_format: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(cropping, data_format, **kwargs)


class Cropping3D(Cropping):
    """Volumes without their borders.

    Example:
        >>> from runtime.ops.arrays.creation import ones
        >>> Cropping3D(1)(ones([1, 3, 4, 5, 1])).shape
        TensorShape([1, 1, 2, 3, 1])
    """

    rank = 3

    def __init__(
        self,
        cropping: int | Sequence[int] | Sequence[Sequence[int]] = ((1, 1), (1, 1), (1, 1)),
        data_format: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(cropping, data_format, **kwargs)
