"""Strides, padding and shapes of nodes with windows over images: convolutions and pools."""

from __future__ import annotations

from typing import Any

from runtime.errors import ArgumentValueError
from runtime.export.graphdef.importer.node_import import NodeImport
from runtime.ops.neural.windows import Sliding, sliding

_FORMATS = {2: "NHWC", 3: "NDHWC"}


def sliding_of(step: NodeImport, rank: int, dilated: bool = True) -> Sliding:
    """Return the strides, the padding and the dilations of a node."""
    order = step.attrs.text("data_format", _FORMATS[rank])
    apart = step.attrs.numbers("dilations", (1,) * (rank + 2)) if dilated else None
    return sliding(rank, list(step.attrs.numbers("strides")), padding_of(step, rank), apart, order)


def padding_of(step: NodeImport, rank: int) -> Any:
    """Return the name of the padding, or a pair for each axis."""
    name = step.attrs.text("padding")
    given = step.attrs.numbers("explicit_paddings", ())
    if name != "EXPLICIT":
        return name
    if len(given) != 2 * (rank + 2):
        raise ArgumentValueError(f"{len(given)} paddings are given for images")
    return [list(given[at : at + 2]) for at in range(0, len(given), 2)]


def requested_shape(step: NodeImport, position: int) -> tuple[Any, tuple[Any, ...]]:
    """Return a requested shape as far as known, and a tensor of it unless all is known."""
    vector = step.tensor(position)
    partial = step.body.static.partial(vector)
    if isinstance(partial, list) and None not in partial:
        return tuple(partial), ()
    if isinstance(partial, list):
        return tuple(partial), (vector,)
    length = vector.shape[0] if vector.shape.rank == 1 else None
    return None if length is None else (None,) * length, (vector,)
