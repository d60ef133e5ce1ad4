"""A program on the array API standard, which runs with tensors here."""

from __future__ import annotations

from typing_extensions import assert_type

import autograph as ag
import autograph.runtime as rt
from autograph.runtime import Tensor
from autograph.runtime import array_api as xp


@ag.function
def standardized(x: Tensor) -> Tensor:
    centred = x - xp.mean(x, axis=0, keepdims=True)
    return centred / xp.std(x, axis=0)


rows = xp.asarray([[1.0, 2.0], [3.0, 5.0]])
assert_type(rows, Tensor)
assert_type(standardized(rows), Tensor)
assert_type(xp.sum(rows, axis=(0, 1), dtype=xp.float32), Tensor)
assert_type(xp.where(rows > 2.0, rows, -rows), Tensor)
assert_type(xp.sort(rows, descending=True), Tensor)
assert_type(xp.concat([rows, xp.ones((1, 2))]), Tensor)
assert_type(xp.unstack(rows), tuple[Tensor, ...])
assert_type(xp.linalg.svd(rows).S, Tensor)
assert_type(xp.linalg.vector_norm(rows, axis=1), Tensor)
assert_type(xp.fft.rfft(rows, n=4), Tensor)
assert_type(xp.pi, float)
assert_type(xp.float32, rt.DType)


def wrong() -> None:
    xp.sum(rows, axes=0)  # error
    xp.linalg.norm(rows)  # error
    xp.concatenate([rows])  # error
    xp.linspace("a", 1.0, 3)  # error
