"""Inputs for special functions, complex numbers and segments."""

from __future__ import annotations

import numpy as np

from runtime.core.dtypes import int64, uint8
from tests.laws.op_samples import BATCH, COUNTS, MATRIX, POSITIVE, ROW, UNIT, case, f, i

COMPLEX = (MATRIX[:, :2] + 1j * MATRIX[:, 1:]).astype(np.complex64)
PROBABILITIES = f(0.2, 0.01, 0.9, 0.55)
ABOVE_1 = f(1.5, 2.25, 7.0)
DEGREES = f([[0.5], [3.25]])
IDS = i(0, 0, 2)

SAMPLES = [
    *(case(op, MATRIX) for op in ("erfc", "asinh", "bessel_i0", "bessel_i1", "bessel_i1e")),
    case("bessel_i0e", MATRIX),
    *(case(op, UNIT) for op in ("atanh", "erfinv")),
    case("acosh", ABOVE_1),
    case("ndtri", PROBABILITIES),
    *(case(op, f(0.3, 2.5, -1.25, 14.0)) for op in ("lgamma", "digamma")),
    # No gradient flows along the order.
    case("polygamma", f(1.0, 2.0, 3.0), ABOVE_1, smooth=False),
    case("zeta", ABOVE_1, f(0.7, 3.0, 12.0), smooth=False),
    *(case(op, DEGREES, POSITIVE) for op in ("igamma", "igammac")),
    case("igamma_grad", DEGREES, POSITIVE),
    case("betainc", DEGREES, f(2.0), f(0.1, 0.5, 0.9), smooth=False),
    *(case(op, POSITIVE, POSITIVE[0]) for op in ("xdivy", "xlog1py")),
    case("truncatemod", MATRIX, ROW),
    case("truncatemod", COUNTS, i(2)),
    case("nextafter", MATRIX, ROW, smooth=False),
    *(case(op, COMPLEX) for op in ("real", "imag", "conj", "angle")),
    case("complex", MATRIX, ROW),
    case("bitcast", MATRIX, type=uint8),
    case("bitcast", COUNTS[:, :2], type=int64),
    *(
        case(f"segment_{how}", data, IDS, exact=False)
        for how in ("sum", "mean", "prod", "max", "min")
        for data in (BATCH[0], ROW)
    ),
    *(
        case(f"unsorted_segment_{how}", BATCH, i([[2, 0, -1], [1, 2, 2]]), num_segments=3)
        for how in ("sum", "prod", "max", "min")
    ),
    case("unsorted_segment_sum", ROW, i(1, 0, 1), i(2), num_segments=None, exact=False),
]
