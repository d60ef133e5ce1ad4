"""Inputs for the ops that make random numbers."""

from __future__ import annotations

import numpy as np

from runtime.core.dtypes import float16, float32, float64, int32, int64, uint64
from tests.laws.op_samples import case

ROWS = np.array([[0.3, -0.7, 1.2], [2.1, 0.4, -1.6]], np.float32)
DIMS = np.array([2, 3], np.int32)
PLACE = np.array([5], np.uint64), np.array([7, 8], np.uint64)
BOUNDS = np.array(-3), np.array(9)
WIDE = {"shape": (2, 3), "dtype": float32}
RATES = np.array([0.5, 20.0, 3.0])
CHANCES = np.array([0.1, 0.5, 0.9])

SAMPLES = [
    case("random_uniform", shape=(2, 3), dtype=float32, seed=1),
    case("random_uniform", DIMS, shape=None, dtype=float64, seed=None, exact=False),
    case("random_uniform_int", *BOUNDS, shape=(2, 3), seed=1),
    case("random_normal", shape=(2, 3), dtype=float16, seed=1),
    case("truncated_normal", shape=(5,), dtype=float64, seed=1),
    case("random_gamma", RATES.astype(np.float32), **WIDE, seed=1, smooth=False),
    case("random_poisson", RATES, **WIDE, seed=1),
    case("random_categorical", ROWS, num_samples=4, dtype=int32, seed=1),
    case("random_shuffle", ROWS, seed=1),
    *(
        case(op, *PLACE, **WIDE)
        for op in ("stateless_uniform", "stateless_normal", "stateless_truncated_normal")
    ),
    case("stateless_uniform", *PLACE, DIMS, shape=(2, None), dtype=float32, exact=False),
    case("stateless_full_int", *PLACE, shape=(4,), dtype=uint64),
    case("stateless_uniform_int", *BOUNDS, *PLACE, shape=(4,)),
    case("stateless_gamma", RATES.astype(np.float32), *PLACE, **WIDE, smooth=False),
    case("stateless_poisson", RATES, *PLACE, shape=(2, 3), dtype=int64),
    case("stateless_binomial", RATES, CHANCES, *PLACE, **WIDE),
    case("stateless_categorical", ROWS, *PLACE, num_samples=2, dtype=int64),
    case("stateless_shuffle", ROWS, *PLACE),
    case("stateless_key_counter", np.array([1, -2])),
]
