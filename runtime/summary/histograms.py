"""Histograms in TensorBoard's format: left edge, right edge and count of each bucket."""

from __future__ import annotations

import numpy as np

from runtime.core.tensor import Array


def bucket_rows(values: Array, buckets: int) -> Array:
    """Count values in buckets of equal width between the smallest and the largest one.

    The last bucket includes the largest value. If all values are equal, all buckets have width 0
    and the last one counts all values. Values that are not finite are omitted.

    Args:
        values: numbers in any shape.
        buckets: the number of buckets.

    Returns:
        float64, of shape [buckets, 3]; zeros if there are no values.

    >>> bucket_rows(np.array([1.0, 2.0, 5.0, 5.0]), 2)
    array([[1., 3., 2.],
           [3., 5., 2.]])
    """
    data = values.astype(np.float64).ravel()
    data = data[np.isfinite(data)]
    rows = np.zeros((buckets, 3))
    if not buckets or not data.size:
        return rows
    low, high = data.min(), data.max()
    # The edges are computed at half size, since the difference of the largest floats overflows.
    edges = np.linspace(low / 2, high / 2, buckets + 1) * 2
    rows[:, 0], rows[:, 1] = edges[:-1], edges[1:]
    if low == high:
        rows[:, :2] = low
        rows[-1, 2] = data.size
        return rows
    places = np.floor((data / 2 - low / 2) / ((high / 2 - low / 2) / buckets)).astype(np.int64)
    rows[:, 2] = np.bincount(np.clip(places, 0, buckets - 1), minlength=buckets)
    return rows
