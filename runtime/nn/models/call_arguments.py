"""Call arguments of layers and ops as JSON values, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from runtime.core.dtypes import DType, as_dtype
from runtime.core.tensor import EagerTensor
from runtime.errors import ArgumentValueError
from runtime.nn.layers.symbolic import KerasTensor
from runtime.ops.arrays.index import ELLIPSIS, NEWAXIS, Index, Input, Span
from runtime.ops.constant import constant

# The classes of the parts of an index `x[...]`.
_PARTS: dict[str, tuple[Any, Callable[[Any], tuple[Any, ...]]]] = {
    "Index": (Index, lambda each: (each.items,)),
    "Span": (Span, lambda each: (each.start, each.stop, each.step)),
    "Input": (Input, lambda each: (each.position,)),
}
_MARKERS = {"...": ELLIPSIS, "newaxis": NEWAXIS}


def as_plain(value: Any, place_of: Callable[[KerasTensor], Any]) -> Any:
    """Return a value as JSON data.

    Args:
        place_of: returns the origin of a KerasTensor.

    Raises:
        ArgumentValueError: the value has no such form.

    >>> as_plain({"axis": (0, 1)}, id)
    {'dict': {'axis': {'tuple': [0, 1]}}}
    """

    def plain(part: Any) -> Any:
        return as_plain(part, place_of)

    if isinstance(value, KerasTensor):
        return {"value": place_of(value)}
    if isinstance(value, EagerTensor):
        return {"tensor": np.asarray(value).tolist(), "dtype": value.dtype.name}
    if isinstance(value, DType):
        return {"dtype": value.name}
    if isinstance(value, Mapping):
        return {"dict": {key: plain(each) for key, each in value.items()}}
    if type(value) is tuple:
        return {"tuple": [plain(each) for each in value]}
    if type(value) is list:
        return [plain(each) for each in value]
    if value is ELLIPSIS or value is NEWAXIS:
        return {"marker": value.text}
    for name, (kind, parts) in _PARTS.items():
        if isinstance(value, kind):
            return {"part": name, "of": [plain(each) for each in parts(value)]}
    if value is None or type(value) in (bool, int, float, str):
        return value
    raise ArgumentValueError(
        f"the model takes {value!r:.60} outside of any layer, which no config tells: put that "
        "into the `call` of a layer"
    )


def from_plain(value: Any, value_at: Callable[[Any], Any]) -> Any:
    """Return the value of data from `as_plain`.

    Args:
        value_at: returns the KerasTensor of an origin.

    >>> from_plain({"dict": {"axis": {"tuple": [0, 1]}}}, id)
    {'axis': (0, 1)}
    """
    if isinstance(value, list):
        return [from_plain(each, value_at) for each in value]
    if not isinstance(value, Mapping):
        return value
    if "value" in value:
        return value_at(value["value"])
    if "tensor" in value:
        return constant(value["tensor"], value["dtype"])
    if "dtype" in value:
        return as_dtype(value["dtype"])
    if "tuple" in value:
        return tuple(from_plain(each, value_at) for each in value["tuple"])
    if "marker" in value:
        return _MARKERS[value["marker"]]
    if "part" in value:
        kind, _ = _PARTS[value["part"]]
        return kind(*(from_plain(each, value_at) for each in value["of"]))
    return {key: from_plain(each, value_at) for key, each in value["dict"].items()}
