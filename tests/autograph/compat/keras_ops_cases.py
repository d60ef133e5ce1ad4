"""Calls of `keras.ops`; the results of Keras 3.15 are in `keras_ops.json`."""

from __future__ import annotations

from typing import Any

import numpy as np

NAN, INF = float("nan"), float("inf")
X = np.array([[1.5, -0.5, 2.0], [0.0, -3.0, 0.25]], np.float32)
Y = np.array([[0.5, 2.0, -1.0], [1.0, 4.0, 0.25]], np.float32)
HOLES = np.array([[1.0, NAN, 3.0], [4.0, 5.0, NAN]], np.float32)
ENDS = np.array([NAN, INF, -INF, -0.0, 2.0], np.float32)
WHOLE = np.array([[7, -7, 3], [2, 5, -4]], np.int32)
SQUARE = np.array([[2.0, 1.0], [1.0, 3.0]], np.float32)
HEADS = np.arange(24, dtype=np.float32).reshape(1, 3, 2, 4) / 10

_OF_ONE = """
    cbrt deg2rad exp2 fabs log10 log2 rad2deg sinc trunc isposinf isneginf isreal nan_to_num signbit
"""
_OF_TWO = "fmax fmin fmod heaviside hypot logaddexp logaddexp2"
_OF_AXES = "median nanmax nanmean nanmin nanprod nanstd nansum nanvar"

CASES: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    *((name, (np.abs(X) + 0.25,), {}) for name in _OF_ONE.split()),
    *((name, (ENDS,), {}) for name in "isposinf isneginf nan_to_num signbit".split()),
    *((name, (X, Y), {}) for name in _OF_TWO.split()),
    *((name, (WHOLE, 3), {}) for name in "fmod hypot fmax".split()),
    *((name, (HOLES,), {"axis": axis}) for name in _OF_AXES.split() for axis in (None, 0, 1)),
    *((name, (HOLES,), {"axis": 1, "keepdims": True}) for name in ("nanmean", "nanmax")),
    ("fmax", (HOLES, X), {}),
    ("logaddexp", (np.array([INF, -INF], np.float32), np.array([INF, -INF], np.float32)), {}),
    ("nan_to_num", (ENDS,), {"nan": 1.0, "posinf": 5.0, "neginf": -5.0}),
    ("isin", (WHOLE, np.array([7, 2], np.int32)), {}),
    ("isin", (WHOLE, np.array([7, 2], np.int32)), {"invert": True}),
    ("average", (X,), {}),
    ("average", (X,), {"axis": 1, "weights": np.array([1.0, 2.0, 3.0], np.float32)}),
    ("average", (X,), {"weights": Y}),
    ("median", (X,), {"axis": 1, "keepdims": True}),
    ("median", (X,), {"axis": (0, 1)}),
    *(
        ("quantile", (X, 0.4), {"axis": 1, "method": method})
        for method in ("linear", "lower", "higher", "nearest", "midpoint")
    ),
    ("quantile", (X, np.array([0.0, 0.5, 1.0], np.float32)), {"axis": 0}),
    ("quantile", (X, np.array([0.25, 0.5], np.float32)), {"axis": 1, "keepdims": True}),
    ("normalize", (X,), {}),
    ("normalize", (X,), {"axis": 0, "order": 1}),
    ("trapezoid", (X,), {}),
    ("trapezoid", (X,), {"dx": 2.0, "axis": 0}),
    ("trapezoid", (X,), {"x": np.array([0.0, 1.0, 4.0], np.float32)}),
    ("copy", (X,), {}),
    ("diagonal", (X,), {}),
    ("diagonal", (X,), {"offset": 1}),
    ("diagflat", (np.array([1.0, 2.0], np.float32),), {"k": 1}),
    ("digitize", (X, np.array([0.0, 1.0], np.float32)), {}),
    ("dstack", ([X, Y],), {}),
    ("dstack", ([X[0], Y[0]],), {}),
    ("extract_sequences", (X, 2, 1), {}),
    ("get_item", (X, 1), {}),
    ("histogram", (X.ravel(),), {"bins": 4}),
    ("histogram", (X.ravel(),), {"bins": 2, "range": (-1.0, 1.0)}),
    ("kron", (SQUARE, SQUARE), {}),
    ("multi_hot", (np.array([[0, 2], [1, 1]], np.int32), 4), {}),
    ("multi_hot", (np.array([0, 2], np.int32), 3), {}),
    # Not 2, of which Keras makes another matrix than NumPy, in TensorFlow alone.
    *(("rot90", (X,), {"k": k}) for k in (0, 1, 3, 5)),
    ("segment_min", (X, np.array([0, 0], np.int32)), {"num_segments": 1}),
    ("segment_prod", (X[0], np.array([0, 1, 0], np.int32)), {}),
    ("select", ([X > 1, X < 0], [X, -X]), {}),
    ("select", ([X > 1], [X], 9.0), {}),
    ("slice_update", (X, np.array([0, 1], np.int32), Y[:, :2]), {}),
    ("tri", (3,), {}),
    ("tri", (2, 4, 1), {}),
    ("vander", (X[0],), {}),
    ("vander", (X[0],), {"N": 2, "increasing": True}),
    ("fliplr", (X,), {}),
    ("flipud", (X,), {}),
    ("ptp", (X,), {"axis": 1}),
    ("logspace", (0.0, 2.0, 3), {}),
    ("logspace", (0.0, 2.0, 4), {"endpoint": False, "base": 2}),
    ("layer_normalization", (X,), {}),
    ("layer_normalization", (X,), {"gamma": X[0], "beta": Y[0], "epsilon": 0.1}),
    ("rms_normalization", (X,), {}),
    ("rms_normalization", (X,), {"scale": X[0]}),
    ("batch_normalization", (X, Y[0], np.abs(Y[1]), -1), {}),
    ("batch_normalization", (X, Y[0], np.abs(Y[1]), 1), {"offset": Y[0], "scale": X[0]}),
    ("dot_product_attention", (HEADS, HEADS + 0.5, HEADS), {}),
    ("dot_product_attention", (HEADS, HEADS, HEADS), {"is_causal": True}),
    ("dot_product_attention", (HEADS, HEADS, HEADS), {"scale": 2.0, "mask": np.tri(3) > 0}),
    ("fft", ((X, Y),), {}),
    ("rfft", (X,), {}),
    ("rfft", (X,), {"fft_length": 4}),
    ("irfft", ((X, Y),), {}),
    ("fft2", ((X, Y),), {}),
    ("ifft2", ((X, Y),), {}),
    ("solve_triangular", (SQUARE, SQUARE), {"lower": True}),
    ("solve_triangular", (SQUARE, SQUARE), {}),
    ("bitwise_not", (WHOLE,), {}),
    ("bitwise_left_shift", (WHOLE, 1), {}),
    ("right_shift", (np.abs(WHOLE), 1), {}),
    ("matrix_rank", (SQUARE,), {}),
    ("pinv", (SQUARE,), {}),
]
