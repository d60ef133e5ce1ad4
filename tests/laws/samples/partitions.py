"""Inputs for partitions of rows, positions in orders, and sequences."""

from __future__ import annotations

import numpy as np

from runtime.core.dtypes import int32, int64
from runtime.ops.neural.windows import Sliding
from tests.laws.op_samples import BATCH, COUNTS, MATRIX, POSITIVE, ROW, case, f, i, s

IMAGES = f(np.sin(np.arange(48))).reshape(2, 3, 4, 2)
FREQUENCIES = (BATCH[..., :3] + 1j * BATCH[..., 1:]).astype(np.complex64)
TOP = Sliding((2, 1), "SAME", (1, 1))

SAMPLES = [
    case("fourier", FREQUENCIES, axes=(-1,), inverse=False),
    case("fourier", FREQUENCIES, axes=(-2, -1), inverse=True),
    *(case("real_fourier", x) for x in (MATRIX, BATCH)),
    *(case("real_from_fourier", FREQUENCIES, length=length) for length in (4, 5)),
    *(
        case("max_pool_places", IMAGES, window=(2, 3), sliding=how, dtype=dtype, in_batch=within)
        for how, dtype, within in (
            (TOP, int32, True),
            (Sliding((1, 1), "VALID", (1, 1)), int64, False),
        )
    ),
    case("dynamic_partition", BATCH, i([[0, 2, 2], [1, 0, 2]]), exact=False, num_partitions=4),
    case("dynamic_partition", ROW, i(0, 0, 0), exact=False, num_partitions=1),
    case("dynamic_stitch", i(3, 0), i([[1], [4]]), MATRIX, BATCH[:, :1, :3] * 2, exact=False),
    case("dynamic_stitch", i(0, 1, 0), i(1), ROW, f(5.0), exact=False),
    *(
        case("cumulative_logsumexp", MATRIX, axis=axis, exclusive=exclusive, reverse=reverse)
        for axis, exclusive, reverse in ((0, False, False), (1, False, True))
    ),
    case("cumulative_logsumexp", MATRIX, axis=1, exclusive=True, reverse=False, smooth=False),
    *(
        case(f"tensor_scatter_nd_{how}", POSITIVE, i([[1], [0], [1]]), BATCH[0, :, :3])
        for how in ("max", "min")
    ),
    *(case("unique_with_counts", x, exact=False, out_idx=int64) for x in (i(3, 1, 3), s("b", "a"))),
    *(
        case("searchsorted", f(1.0, 2.0, 2.0), ROW, side=side, out_type=dtype)
        for side, dtype in (("left", int32), ("right", int64))
    ),
    case("searchsorted", i([[1, 3], [2, 5]]), COUNTS, side="right", out_type=int32),
    case("invert_permutation", i(2, 0, 1)),
    case("unravel_index", i(5, 2), i(2, 3)),
    case("unravel_index", i(5), i(2, 3)),
    case("reverse_sequence", MATRIX, i(2, 3), seq_axis=1, batch_axis=0),
    case("reverse_sequence", BATCH, i(1, 0, 2, 2), seq_axis=0, batch_axis=2),
]
