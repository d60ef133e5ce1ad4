"""The `timestamp` op: the time when the graph runs."""

from __future__ import annotations

import time

import numpy as np

from runtime.core.dtypes import float64
from runtime.core.tensor import Tensor
from runtime.ops import infer
from runtime.ops.op import apply, define

TIMESTAMP = define(
    "timestamp",
    lambda: np.float64(time.time()),
    infer.fixed((), float64),
    effects="io",
    tensorflow_name="Timestamp",
)


def timestamp(name: str | None = None) -> Tensor:
    """Return the seconds since 1970 as a float64, each time the graph runs.

    >>> bool(timestamp() > 1.6e9)
    True
    """
    result: Tensor = apply(TIMESTAMP, ())
    return result
