"""Arrays of NumPy from outside of a function that are inputs and outputs of its graph.

counts[0] += 1         calls change the array, which begins as what it holds before a call
"""

from __future__ import annotations

from typing import Any

import numpy as np

import runtime as rt
from autograph.backends.graph.program.arrays import (
    known_array,
    put_elements,
    root_of,
    staged_tensor,
)


def begin_with(value: np.ndarray[Any, Any], tensor: rt.SymbolicTensor) -> None:
    """Let an array from outside hold an input of the graph, as one that the trace has made may."""
    put_elements(value, tensor)
    known = known_array(root_of(value))
    known.given = known.tensor


def given_tensor(value: Any) -> Any:
    """Return what an array that the graph was given holds by now; None if that is no other."""
    known = known_array(root_of(value))
    return None if known.tensor is known.given else staged_tensor(value)
