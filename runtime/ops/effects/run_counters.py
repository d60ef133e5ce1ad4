"""`new_number`: allocation numbers, unique within a run of a graph."""

from __future__ import annotations

from itertools import count

import numpy as np

from runtime.core.dtypes import int32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor
from runtime.ops.op import apply, define

# Traces use smaller numbers.
LEAST = 1 << 20
_END = (1 << 31) - LEAST
_NUMBERS = count()


def new_number() -> Tensor:
    """Return a number that no other node, and no other execution of this node, returns in a run.

    Returns:
        A scalar of dtype int32, 2**20 or more. After 2**31 - 2**20 numbers they start again.

    >>> bool(new_number() == new_number())
    False
    """
    return apply(NEW_NUMBER, ())


def _new_number() -> Array:
    return np.asarray(LEAST + next(_NUMBERS) % _END, np.int32)


NEW_NUMBER = define("new_number", _new_number, lambda: TensorSpec((), int32), effects="random")
