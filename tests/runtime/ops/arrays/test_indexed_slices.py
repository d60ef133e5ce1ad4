"""IndexedSlices as values, and converted to tensors."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError, DTypeError, ShapeError


def test_attributes_of_indexed_slices() -> None:
    rows = rt.IndexedSlices([[1.0, 2.0]], [1], dense_shape=[3, 2])
    assert ([[1.0, 2.0]], [1]) == (rows.values.numpy().tolist(), rows.indices.numpy().tolist())
    assert (rt.float32, (3, 2)) == (rows.dtype, rows.shape)
    assert rows.dense_shape.numpy().tolist() == [3, 2]
    assert rt.IndexedSlices([1.0], [0]).shape.rank is None
    assert "IndexedSlices(indices=<rt.Tensor" in repr(rows) and repr(rows).endswith("(3, 2))")
    assert [[-1.0, -2.0]] == (-rows).values.numpy().tolist()


def test_indexed_slices_convert_to_tensors() -> None:
    rows = rt.IndexedSlices([1.0, 3.0], [0, 0], dense_shape=[3])
    assert [4.0, 0.0, 0.0] == rt.convert_to_tensor(rows).numpy().tolist()
    assert [5.0, 1.0, 1.0] == rt.add(rows, 1.0).numpy().tolist()
    assert rt.is_tensor(rows)


def test_indexed_slices_convert_to_tensors_in_graphs() -> None:
    @ag.function
    def f(x: rt.Tensor, values: rt.Tensor) -> rt.Tensor:
        return rt.reduce_sum(rt.IndexedSlices(values, [0, 2], rt.shape(x)) * x, axis=0)

    x = np.arange(6.0, dtype=np.float32).reshape(3, 2)
    expected = 2.0 * x[0] + 3.0 * x[2]
    assert expected.tolist() == f(x, [[2.0, 2.0], [3.0, 3.0]]).numpy().tolist()


def test_invalid_indexed_slices_are_refused() -> None:
    with pytest.raises(DTypeError, match="indices must be integers"):
        rt.IndexedSlices([1.0], [0.5])
    with pytest.raises(DTypeError, match="dense_shape must be integers"):
        rt.IndexedSlices([1.0], [0], [1.5])
    with pytest.raises(ArgumentValueError, match="without a dense_shape"):
        rt.convert_to_tensor(rt.IndexedSlices([1.0], [0]))
    with pytest.raises(ShapeError, match="must be a vector"):
        rt.convert_to_tensor(rt.IndexedSlices([[1.0]], [[0]], [1]))
    with pytest.raises(ArgumentValueError, match="truth"):
        bool(rt.IndexedSlices([1.0], [0]))
