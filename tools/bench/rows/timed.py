"""A measurement that a workload takes itself, and the comparison of results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

# Float32 sums come in another order everywhere; the smallest bounds are per row.
TOLERANCE = 2e-4
TOLERANCES = {"train": 2e-2, "train_keras": 2e-2, "dataset_loop": 2e-2}


@dataclass(frozen=True)
class Timed:
    """The CPU seconds of the part that counts, and its result."""

    seconds: float
    result: Any


def difference(row: str, expected: Any, found: Any) -> str | None:
    """Return how a result differs from the expected one, or None if it does not.

    >>> difference("power", [1.0, 2.0], (1.0, 2.0)) is None
    True
    >>> difference("power", 1.0, 1.5)
    'found 1.5, not 1.0'
    """
    wanted, given = list(arrays_in(expected)), list(arrays_in(found))
    if len(wanted) != len(given):
        return f"found {len(given)} results, not {len(wanted)}"
    bound = TOLERANCES.get(row, TOLERANCE)
    for one, other in zip(wanted, given):
        if one.shape != other.shape:
            return f"found the shape {other.shape}, not {one.shape}"
        if not np.allclose(one, other, rtol=bound, atol=bound):
            worst = int(np.argmax(np.abs(one - other)))
            return f"found {other.ravel()[worst]}, not {one.ravel()[worst]}"
    return None


def arrays_in(value: Any) -> Iterator[Any]:
    """Yield the arrays of a result: one, or a list or tuple of any depth."""
    if isinstance(value, Timed):
        value = value.result
    if isinstance(value, (list, tuple)):
        for each in value:
            yield from arrays_in(each)
    else:
        detached = value.detach() if hasattr(value, "detach") else value
        yield np.asarray(detached, np.float64)
