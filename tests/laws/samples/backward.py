"""Inputs for the ops that only gradients use, and for rules with more than one case."""

from __future__ import annotations

import numpy as np

from runtime.ops.arrays.index import NEWAXIS, HashableSlice, Index, Input
from tests.laws.op_samples import BATCH, MATRIX, POSITIVE, ROW, SQUARE, b, case, f, i

WEIGHTS = f(np.cos(np.arange(12)).reshape(3, 4))
ZEROS = f([[0.0, 2.0, -3.0], [0.0, 0.0, 1.5]])
TALL = f(np.sin(np.arange(1, 81)).reshape(40, 2))
TWICE = i([[0, 1], [1, 1], [0, 1]])

ARRANGING = (
    *(
        case("joined_part", WEIGHTS, f(np.ones((3, 1))), f(np.ones((3, 3))), axis=-1, position=k)
        for k in (0, 1)
    ),
    case("tiles_summed", WEIGHTS, f(np.ones((3, 2))), multiples=(1, 2)),
    case("tiles_summed", WEIGHTS, f(np.ones((1, 2))), i(3, 2), multiples=None),
    case("unpadded", WEIGHTS, f(np.ones((2, 2))), paddings=((0, 1), (1, 1)), mode="constant"),
    case("unpadded", WEIGHTS, f(np.ones((2, 2))), paddings=((1, 0), (1, 1)), mode="reflect"),
    case(
        "unpadded",
        WEIGHTS,
        f(np.ones((2, 2))),
        i([[0, 1], [0, 2]]),
        paddings=None,
        mode="symmetric",
    ),
    *(
        case("pad", MATRIX, f(0.5), paddings=((1, 2), (2, 1)), mode=mode)
        for mode in ("constant", "symmetric")
    ),
    case("pad", MATRIX, f(0.5), paddings=((1, 0), (2, 2)), mode="reflect"),
    case("repeats_summed", WEIGHTS, f(np.ones((3, 2))), i(2), axis=1, count=2),
    case("repeats_summed", WEIGHTS, f(np.ones((2, 4))), i(3, 0), axis=-2, count=None),
    case("repeat", MATRIX, i(0, 3), axis=0, count=None, exact=False),
    case("repeat", MATRIX, i(3), axis=-1, count=3),
    case("tile", MATRIX, multiples=(2, 3)),
)

MAKING = (
    case("linspace", f(0.0, 1.0), f(2.0), num=4, axis=-1),
    case("linspace", f(0.0, 1.0), f(2.0, 5.0), num=3, axis=0),
    case("linspace", f(0.0), f(2.0), num=1, axis=0),
    case("one_hot", i([[0, 2], [5, 1]]), f(3.0), f(-1.0), depth=3, axis=1),
)

ORDERS = (
    case("placed_along", f([[0.5, -1.0], [2.0, 3.0]]), i([[2, 0], [1, 2]]), MATRIX, axis=-1),
    case("taken_along", MATRIX, i([[2, 0], [1, 2]]), axis=1),
    case("sort", BATCH, axis=1, descending=True),
    case("top_k", BATCH, k=3),
)

PLACES = (
    case("sliced_back", ROW, MATRIX, index=Index((1,))),
    case(
        "sliced_back",
        f(np.ones((1, 2, 1))),
        MATRIX,
        index=Index((NEWAXIS, HashableSlice(), HashableSlice(-1, None))),
    ),
    case(
        "sliced_back",
        f(0.5, 0.7),
        MATRIX,
        i(0),
        i(1),
        index=Index((Input(0), HashableSlice(Input(1)))),
    ),
    case("replaced_part", MATRIX, index=Index((0, HashableSlice(1, None)))),
    case("replaced_part", MATRIX, i(1, 0, 1), index=Index((Input(0), 2)), exact=False),
    case("set_item", MATRIX, f(5.0, 6.0, 7.0), i(1, 0, 1), index=Index((Input(0), 2))),
    case("slice_back", f([[0.5], [0.7]]), MATRIX, i(0, 1)),
)

ROWS = (
    case("gathered_back", WEIGHTS, i(1, 1, 0), f(np.ones((2, 4))), axis=0, batch_dims=0),
    case(
        "gathered_back",
        WEIGHTS,
        i(-1, 0, 0, 2),
        f(np.ones((3, 5))),
        axis=1,
        batch_dims=0,
        wrap=True,
    ),
    case(
        "gathered_back",
        f(np.ones((2, 3, 2, 2))),
        i([[1, 1], [0, 1]]),
        f(np.ones((2, 3, 4))),
        axis=-1,
        batch_dims=0,
    ),
    case("gathered_back", f(np.ones((2, 2))), i([[1, 1], [0, 2]]), MATRIX, axis=1, batch_dims=1),
    case("gather", BATCH, i([[3, 3], [0, 1]]), axis=2, batch_dims=1),
    case("rows_back", ROW, TWICE, f(np.ones((2, 2))), batch_dims=0),
    case("rows_back", f(np.ones((3, 4))), i([[1], [1], [0]]), f(np.ones((2, 4))), batch_dims=0),
    case("rows_back", f(0.5, 0.7), i([[1], [1]]), MATRIX, batch_dims=1),
    case("unmasked", f([[0.5], [0.7]]), b(False, True, False), MATRIX, axis=1),
    case("scatter_nd", i([[1], [1]]), f(9.0, 8.0), shape=(4,)),
)

SCANS = (
    *(case("moved", MATRIX, axis=axis, by=by) for axis, by in ((1, 1), (0, -1), (-1, 3))),
    *(
        case("recurrence", MATRIX, POSITIVE, axis=axis, reverse=reverse)
        for axis, reverse in ((1, False), (-1, True), (0, False))
    ),
    *(case("recurrence", TALL, f(np.cos(TALL)), axis=0, reverse=r) for r in (False, True)),
    *(
        case("cumprod", ZEROS, axis=axis, exclusive=e, reverse=r)
        for axis in (0, -1)
        for e in (False, True)
        for r in (False, True)
    ),
    *(
        case("reduce_prod", ZEROS, axis=axis, keepdims=keepdims)
        for axis in (None, (0,), (-1,), (0, 1), ())
        for keepdims in (False, True)
    ),
)

PRODUCTS = (
    *(
        case("einsum_grad", dy, *factors, equation=equation, position=position)
        for equation, dy, factors in (
            ("ij,jk->ik", f(np.ones((2, 4))), (MATRIX, WEIGHTS)),
            ("ii->", f(0.7), (SQUARE,)),
            ("ij,ij->j", ROW, (MATRIX, POSITIVE)),
            ("i...j,...j->i...", f(np.ones((2, 3))), (BATCH, WEIGHTS)),
        )
        for position in range(len(factors))
    ),
    case("einsum", SQUARE, equation="ii->i"),
    case("einsum", SQUARE, SQUARE, equation="ij,jj->i"),
    case("einsum", BATCH, WEIGHTS, equation="i...j,...j->i..."),
    case("einsum", BATCH, f(0.5, 0.7), WEIGHTS, equation="bij,b,ij->i"),
    *(
        case(
            "tensordot_grad",
            f(np.ones((2, 2))),
            BATCH,
            f(np.ones((4, 3, 2))),
            axes=((1, 2), (1, 0)),
            position=position,
        )
        for position in (0, 1)
    ),
    case("tensordot", BATCH, f(np.ones((4, 2, 3))), axes=((2, -2), (0, 2))),
)

MATRICES = (
    case("on_diagonal", f(0.5, 0.7), MATRIX),
    case("diag_part", BATCH),
    case("matrix_determinant", f([[[2.0, 0.5], [0.3, 3.0]], [[1.0, 2.0], [-1.0, 0.5]]])),
    case("spread", ROW, MATRIX, axis=(0,)),
    case("spread", f(0.7), MATRIX, axis=(0, -1)),
    case("transpose", BATCH, perm=(-1, 0, -2)),
)

SAMPLES = ARRANGING + MAKING + ORDERS + PLACES + ROWS + SCANS + PRODUCTS + MATRICES
