"""Convolution and pooling layers: the base class, and the arguments that they share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn.layers.input_spec import InputSpec
from runtime.nn.layers.layer import TensorLayer
from runtime.ops.neural.windows import FORMATS

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from runtime.nn.layers.layer_options import RegularizableLayerOptions


def format_argument(data_format: Any) -> str:
    """Return a checked data format, "channels_last" for None.

    Raises:
        ArgumentValueError: it is no data format.

    >>> format_argument(None)
    'channels_last'
    """
    if not isinstance(data_format, (str, type(None))) or data_format not in (
        None,
        "channels_first",
        "channels_last",
    ):
        raise ArgumentValueError(
            f"data_format must be 'channels_last' or 'channels_first', not {data_format!r}"
        )
    return str(data_format or "channels_last")


def sizes_argument(value: Any, rank: int, what: str, least: int = 1) -> tuple[int, ...]:
    """Return one whole number for each spatial axis.

    Args:
        value: one number for all axes, or one each.
        what: the name of the argument.
        least: the minimum of each number.

    Raises:
        ArgumentValueError: it is something else.

    >>> sizes_argument(2, 3, "strides"), sizes_argument([1, 2], 2, "strides")
    ((2, 2, 2), (1, 2))
    """
    found = tuple(value) if isinstance(value, (list, tuple)) else (value,) * rank
    if len(found) == rank and all(is_whole(each) and each >= least for each in found):
        return tuple(int(each) for each in found)
    several = f" or {rank} of them" if rank > 1 else ""
    raise ArgumentValueError(
        f"{what} must be a whole number of at least {least}{several}, not {value!r}"
    )


def pairs_argument(value: Any, rank: int, what: str) -> tuple[tuple[int, int], ...]:
    """Return two whole numbers, before and after, for each spatial axis.

    Args:
        value: a number for all sides, one for both sides of each axis, or a pair for each axis; for
            one axis the pair itself.

    Raises:
        ArgumentValueError: it is something else.

    >>> pairs_argument(1, 2, "padding"), pairs_argument((1, 2), 1, "padding")
    (((1, 1), (1, 1)), ((1, 2),))
    """
    given = tuple(value) if isinstance(value, (list, tuple)) else (value,) * rank
    if rank == 1 and len(given) == 2:
        given = (given,)
    found = [tuple(each) if isinstance(each, (list, tuple)) else (each, each) for each in given]
    if len(found) == rank and all(_is_pair(each) for each in found):
        return tuple((int(before), int(after)) for before, after in found)
    raise ArgumentValueError(
        f"{what} must be one whole number of at least 0, {rank} of them, or {rank} pairs, not "
        f"{value!r}"
    )


def padding_argument(padding: Any, *known: str) -> str:
    """Return the name of a padding in lower case.

    Raises:
        ArgumentValueError: it is not one of the known ones.

    >>> padding_argument("SAME", "valid", "same")
    'same'
    """
    word = padding.lower() if isinstance(padding, str) else padding
    if not isinstance(word, str) or word not in known:
        words = " or ".join(repr(each) for each in known)
        raise ArgumentValueError(f"padding must be {words}, not {padding!r}")
    return str(word)


def is_whole(value: Any) -> bool:
    """Return whether a value is a Python or NumPy integer, and not a bool."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _is_pair(value: Any) -> bool:
    return len(value) == 2 and all(is_whole(each) and each >= 0 for each in value)


class SpatialLayer(TensorLayer):
    """A layer for inputs with a batch, channels, and a number of spatial axes.

    Attributes:
        rank: the number of spatial axes.
        _config_attributes: the attributes whose values replace the arguments of these names in
            the config.
    """

    rank = 2
    _config_attributes: tuple[str, ...] = ()

    def __init__(
        self, data_format: str | None = None, **kwargs: Unpack[RegularizableLayerOptions]
    ) -> None:
        super().__init__(**kwargs)
        self.data_format = format_argument(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    @property
    def _channels_first(self) -> bool:
        """True where the channels precede the spatial axes."""
        return self.data_format == "channels_first"

    @property
    def _layout(self) -> str:
        """The data format in the ops' notation, such as NHWC."""
        return FORMATS[self.rank][self._channels_first]

    @property
    def _first_spatial_axis(self) -> int:
        """The index of the first spatial axis."""
        return 2 if self._channels_first else 1

    def _channels_of(self, shape: Any) -> int:
        """Return the number of channels in an input shape.

        Raises:
            ShapeError: it is not known, or 0.
        """
        axis = 1 if self._channels_first else -1
        found = None if shape is None or len(shape) < self.rank + 2 else shape[axis]
        if not found:
            raise ShapeError(
                f"layer {self.name!r} ({type(self).__name__}) needs inputs with a known number of "
                f"channels ({self._layout}) to make its weights, not of shape {shape}"
            )
        return int(found)

    def _refuse_large_window(self, outputs: Any, window: Any) -> Any:
        """Return outputs; ShapeError if they are empty: a window was larger than the inputs."""
        dims = outputs.shape.dims
        last = None if self._channels_first else -1
        if dims is not None and 0 in dims[self._first_spatial_axis : last]:
            raise ShapeError(
                f"layer {self.name!r} ({type(self).__name__}): a window of {tuple(window)} does "
                "not fit into the inputs: give larger ones, or padding='same'"
            )
        return outputs

    def get_config(self) -> dict[str, Any]:
        """Return the arguments of the layer as plain values, with its name."""
        current = {name: getattr(self, name) for name in self._config_attributes}
        return {**super().get_config(), **current}
