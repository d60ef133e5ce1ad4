"""Import of convolutions and pools."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import int64
from runtime.errors import ArgumentValueError
from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.ops.neural.depthwise import depthwise_conv2d
from runtime.ops.neural.windows import Sliding, per_axis, sliding

_FORMATS = {2: "NHWC", 3: "NDHWC"}


def _sliding(step: NodeImport, rank: int, dilated: bool = True) -> Sliding:
    """Return the strides, the padding and the dilations of a node."""
    order = step.attrs.text("data_format", _FORMATS[rank])
    apart = step.attrs.numbers("dilations", (1,) * (rank + 2)) if dilated else None
    return sliding(rank, list(step.attrs.numbers("strides")), _padding(step, rank), apart, order)


def _padding(step: NodeImport, rank: int) -> Any:
    """Return the name of the padding, or a pair for each axis."""
    name = step.attrs.text("padding")
    given = step.attrs.numbers("explicit_paddings", ())
    if name != "EXPLICIT":
        return name
    if len(given) != 2 * (rank + 2):
        raise ArgumentValueError(f"{len(given)} paddings are given for images")
    return [list(given[at : at + 2]) for at in range(0, len(given), 2)]


def _convolution(rank: int) -> Rule:
    def rule(step: NodeImport) -> Any:
        how = _sliding(step, rank)
        return step.record("convolution", step.tensor(0), step.tensor(1), sliding=how)

    return rule


def _depthwise(step: NodeImport) -> Any:
    order = step.attrs.text("data_format", "NHWC")
    strides, apart = step.attrs.numbers("strides"), step.attrs.numbers("dilations", (1, 1, 1, 1))
    padding, spatial = _padding(step, 2), slice(2, 4) if order == "NCHW" else slice(1, 3)
    return depthwise_conv2d(
        step.tensor(0), step.tensor(1), list(strides), padding, order, list(apart[spatial])
    )


def _shape(step: NodeImport, position: int) -> tuple[Any, tuple[Any, ...]]:
    """Return a requested shape as far as known, and a tensor of it unless all is known."""
    vector = step.tensor(position)
    partial = step.body.static.partial(vector)
    if isinstance(partial, list) and None not in partial:
        return tuple(partial), ()
    if isinstance(partial, list):
        return tuple(partial), (vector,)
    length = vector.shape[0] if vector.shape.rank == 1 else None
    return None if length is None else (None,) * length, (vector,)


def _to_input(rank: int) -> Rule:
    def rule(step: NodeImport) -> Any:
        how, (shape, rest) = _sliding(step, rank), _shape(step, 0)
        filters, dy = step.tensor(1), step.tensor(2)
        return step.record("convolution_to_input", filters, dy, *rest, shape=shape, sliding=how)

    return rule


def _to_filter(rank: int) -> Rule:
    def rule(step: NodeImport) -> Any:
        how, (shape, rest) = _sliding(step, rank), _shape(step, 1)
        x, dy = step.tensor(0), step.tensor(2)
        return step.record("convolution_to_filter", x, dy, *rest, shape=shape, sliding=how)

    return rule


def _window(step: NodeImport, rank: int) -> dict[str, Any]:
    how = _sliding(step, rank, dilated=False)
    sizes = per_axis(list(step.attrs.numbers("ksize")), rank, how.channels_first, "ksize")
    return {"window": sizes, "sliding": how}


def _pool(name: str, rank: int) -> Rule:
    def rule(step: NodeImport) -> Any:
        return step.record(name, step.tensor(0), **_window(step, rank))

    return rule


def _of_largest(name: str) -> Rule:
    def rule(step: NodeImport) -> Any:
        return step.record(name, step.tensor(0), step.tensor(2), **_window(step, 2))

    return rule


def _mean_back(rank: int) -> Rule:
    def rule(step: NodeImport) -> Any:
        shape, rest = _shape(step, 0)
        how = _window(step, rank)
        return step.record("avg_pool_back", step.tensor(1), *rest, shape=shape, **how)

    return rule


def _places(step: NodeImport) -> Any:
    how = _window(step, 2)
    wanted = step.attrs.dtype("Targmax", int64)
    within = step.attrs.flag("include_batch_in_index", False)
    x = step.tensor(0)
    places = step.record("max_pool_places", x, **how, dtype=wanted, in_batch=within)
    return [step.record("max_pool", x, **how), places]


RULES: dict[str, Rule] = {
    "AvgPool": _pool("avg_pool", 2),
    "AvgPool3D": _pool("avg_pool", 3),
    "AvgPool3DGrad": _mean_back(3),
    "AvgPoolGrad": _mean_back(2),
    "Conv2D": _convolution(2),
    "Conv2DBackpropFilter": _to_filter(2),
    "Conv2DBackpropInput": _to_input(2),
    "Conv3D": _convolution(3),
    "Conv3DBackpropFilterV2": _to_filter(3),
    "Conv3DBackpropInputV2": _to_input(3),
    "DepthwiseConv2dNative": _depthwise,
    "MaxPool": _pool("max_pool", 2),
    "MaxPool3D": _pool("max_pool", 3),
    "MaxPoolGrad": _of_largest("max_pool_back"),
    "MaxPoolGradGrad": _of_largest("max_pool_picked"),
    "MaxPoolWithArgmax": _places,
}
