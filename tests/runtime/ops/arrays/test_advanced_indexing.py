"""Several index arrays in one index, against NumPy."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ShapeError

CUBE = np.arange(2 * 3 * 4 * 5).reshape(2, 3, 4, 5)


def _part(rng: random.Random, axis: int) -> tuple[Any, int]:
    """Return a part of an index into a dimension, and how many dimensions it speaks about."""
    size, kind = CUBE.shape[axis], rng.choice(["int", "slice", "array", "mask", "new"])
    if kind == "int":
        return rng.randrange(-size, size), 1
    if kind == "slice":
        return slice(rng.choice([None, 0, -1]), None, rng.choice([None, 1, 2, -1])), 1
    if kind == "new":
        return None, 0
    if kind == "mask":
        width = rng.choice([1, 2]) if axis < 3 else 1
        flags = [rng.random() < 0.4 for _ in range(int(np.prod(CUBE.shape[axis : axis + width])))]
        return np.array(flags).reshape(CUBE.shape[axis : axis + width]), width
    shape = rng.choice([(2, 3), (1, 3), (3,), (2, 1)])
    numbers = [rng.randrange(-size, size) for _ in range(int(np.prod(shape)))]
    return np.array(numbers).reshape(shape), 1


def _index(seed: int) -> tuple[Any, ...]:
    rng, parts, axis = random.Random(seed), [], 0
    has_dots = False
    while axis < 4 and rng.random() < 0.85:
        if not has_dots and rng.random() < 0.15:
            parts.append(Ellipsis)
            axis, has_dots = axis + rng.randrange(4 - axis), True
        part, width = _part(rng, axis)
        parts.append(part)
        axis += width
    return tuple(parts)


def _outcome(function: Any) -> Any:
    try:
        return np.asarray(function())
    except (IndexError, rt.errors.InvalidArgumentError):
        return None


@pytest.mark.parametrize("first", range(0, 600, 100))
def test_index_arrays_agree_with_numpy(first: int) -> None:
    for seed in range(first, first + 100):
        key = _index(seed)
        tensors = tuple(rt.constant(x) if isinstance(x, np.ndarray) else x for x in key)
        expected = _outcome(lambda key=key: CUBE[key])
        actual = _outcome(lambda key=tensors: rt.constant(CUBE)[key])
        assert (expected is None) == (actual is None), (seed, key)
        if expected is not None:
            np.testing.assert_array_equal(actual, expected, err_msg=str((seed, key)))


def test_gradients_are_scattered_to_each_element() -> None:
    x = rt.constant([[1.0, 2.0], [3.0, 4.0]])
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = rt.reduce_sum(x[[0, 0, 1], [1, 1, 0]] * rt.constant([1.0, 10.0, 100.0]))
    assert tape.gradient(y, x).numpy().tolist() == [[0.0, 11.0], [100.0, 0.0]]


def test_out_of_range_indices_are_refused() -> None:
    x = rt.constant(CUBE)
    with pytest.raises(IndexError):
        _ = x[[0, 2], [0, 0]]
    with pytest.raises(IndexError, match="boolean index"):
        _ = x[[True, False, True], :, [0, 1]]
    with pytest.raises(ShapeError, match="too many"):
        _ = x[[0], [0], [0], [0], [0]]
