"""Inputs for the ops of images: convolutions, pools, and their gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.neural.windows import Sliding


def _ramp(*shape: int) -> np.ndarray:
    return np.sin(np.arange(np.prod(shape)) * 0.7 + 1).reshape(shape).astype(np.float32)


SAME = Sliding((2, 2), "SAME", (1, 1))
WIDE = Sliding((1, 2), ((1, 0), (0, 2)), (2, 1))
AROUND = Sliding((1, 2), ((1, 0), (0, 2)), (1, 1))
FIRST = Sliding((2, 1), "VALID", (1, 1), True)
LINE = Sliding((2,), "SAME", (1,))

X, FILTERS, FIRST_X = _ramp(2, 5, 4, 2), _ramp(3, 2, 2, 3), _ramp(2, 2, 5, 4)
EACH = _ramp(3, 2, 1, 4)

_CONVOLUTIONS: tuple[tuple[Any, Any, Any, Sliding], ...] = (
    (X, FILTERS, _ramp(2, 3, 2, 3), SAME),
    (X, FILTERS, _ramp(2, 2, 3, 3), WIDE),
    (FIRST_X, FILTERS, _ramp(2, 3, 2, 3), FIRST),
    (X, EACH, _ramp(2, 3, 2, 4), SAME),
    (_ramp(2, 5, 4, 4), _ramp(3, 2, 2, 6), _ramp(2, 3, 2, 6), SAME),
    (_ramp(2, 5, 2), _ramp(3, 2, 3), _ramp(2, 3, 3), LINE),
)

SAMPLES = [
    *(("convolution", (x, f), {"sliding": how}) for x, f, dy, how in _CONVOLUTIONS),
    *(
        ("convolution_to_input", (f, dy), {"shape": x.shape, "sliding": how})
        for x, f, dy, how in _CONVOLUTIONS
    ),
    *(
        ("convolution_to_filter", (x, dy), {"shape": f.shape, "sliding": how})
        for x, f, dy, how in _CONVOLUTIONS
    ),
    ("max_pool", (X,), {"window": (3, 3), "sliding": AROUND}),
    *((op, (X,), {"window": (3, 2), "sliding": SAME}) for op in ("max_pool", "avg_pool")),
    *((op, (FIRST_X,), {"window": (3, 2), "sliding": FIRST}) for op in ("max_pool", "avg_pool")),
    ("max_pool_back", (X, _ramp(2, 3, 2, 2)), {"window": (3, 2), "sliding": SAME}),
    ("max_pool_picked", (X, X[::-1].copy()), {"window": (3, 2), "sliding": SAME}),
    (
        "avg_pool_back",
        (_ramp(2, 3, 2, 2),),
        {"shape": (2, 5, 4, 2), "window": (3, 2), "sliding": SAME},
    ),
    (
        "in_top_k",
        (np.array([1, 0], np.int32), _ramp(2, 3), np.array(2, np.int32)),
        {},
    ),
]
