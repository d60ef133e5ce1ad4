"""Numbers that are the same everywhere, for inputs and weights, and a few that stand for many."""

from __future__ import annotations

from typing import Any

import numpy as np

BATCH = 2


def some(shape: Any, seed: int) -> Any:
    """Return floats between -2 and 2 without order, all of them different."""
    count = int(np.prod(shape))
    found = 2 * np.sin(np.arange(1, count + 1) * (1.3 + 0.37 * seed) + seed)
    return found.reshape(shape).astype(np.float32)


def inputs_of(case: Any) -> Any:
    """Return the inputs of a layer's call."""
    one = not isinstance(case.shapes, list)
    found = [
        _values(case, shape, n) for n, shape in enumerate([case.shapes] if one else case.shapes)
    ]
    return found[0] if one else found


def _values(case: Any, shape: Any, number: int) -> Any:
    found = some((BATCH, *shape), number)
    if case.values == "floats":
        return found
    return (np.abs(found) * 1000).astype(np.int32) % case.values


def weight_values(shapes: Any) -> list[Any]:
    """Return values for weights, all positive: some of them are variances."""
    return [np.abs(some(shape, 7 + n)) + 0.1 for n, shape in enumerate(shapes)]


def path_of(weight: Any) -> str:
    """Return the name of a weight with those of the layers it is in."""
    return str(getattr(weight, "path", weight.name)).removesuffix(":0")


def output_weights(shape: Any) -> Any:
    """Return how much each number of an output counts in the scalar that gradients are of."""
    return some(shape, 23)


def sketch(values: Any) -> list[float]:
    """Return three sums of an array that tell of each number in it and where it stands."""
    array = np.asarray(values, np.float64)
    return [float(np.sum(array.ravel() * some(array.size, seed))) for seed in (31, 41, 59)]
