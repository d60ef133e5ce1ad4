"""One table of sample inputs for every op, used by the laws of ops."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from runtime.core.array_value import ArrayValue
from runtime.core.dtypes import float32, float64, int32, int64
from runtime.core.item_list import ItemList
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.variant import boxed
from runtime.data.element_spec import Element
from runtime.data.sources import TensorSlices
from runtime.ops.arrays.index import ELLIPSIS, NEWAXIS, HashableSlice, Index, Input
from runtime.ops.containers.tensor_arrays import UNWRITTEN, TensorArrayContents
from runtime.ops.data.datasets import DatasetPosition
from runtime.ops.python.formatting import TemplateField, TextTemplate


@dataclass(frozen=True)
class Sample:
    """Inputs and attributes an op works on.

    Attributes:
        exact: from exact input specs the exact result follows; not so where values decide shapes.
        smooth: the gradient may be compared with finite differences at these inputs.
    """

    op: str
    inputs: tuple[np.ndarray, ...]
    attrs: dict[str, Any] = field(default_factory=dict)
    exact: bool = True
    smooth: bool = True

    def __str__(self) -> str:
        return f"{self.op}({', '.join(f'{a.dtype}{list(a.shape)}' for a in self.inputs)})"


def f(*values: Any) -> np.ndarray:
    return np.array(values[0] if len(values) == 1 else values, np.float32)


def i(*values: Any) -> np.ndarray:
    return np.array(values[0] if len(values) == 1 else values, np.int32)


def b(*values: Any) -> np.ndarray:
    return np.array(values[0] if len(values) == 1 else values, np.bool_)


def s(*values: Any) -> np.ndarray:
    return np.array([v.encode() for v in values] if len(values) > 1 else values[0].encode(), object)


def case(op: str, *inputs: np.ndarray, exact: bool = True, smooth: bool = True, **attrs: Any):
    return Sample(op, inputs, attrs, exact, smooth)


MATRIX = f([[0.3, -0.7, 1.2], [2.1, 0.4, -1.6]])
ROW = f(0.9, 1.7, -0.35)
POSITIVE = f([[0.3, 0.7, 1.2], [2.1, 0.4, 1.6]])
UNIT = f([[0.3, -0.7, 0.2], [0.1, 0.4, -0.6]])
COUNTS = i([[3, 1, 2], [7, 5, 6]])
SQUARE = f([[2.0, 0.5], [0.5, 3.0]])
BATCH = f(np.linspace(-1, 2, 24).reshape(2, 3, 4))

ALL_SIGNS = (
    "abs cos cosh erf exp expm1 floor ceil round negative sigmoid sign sin sinh square"
    " tan tanh relu relu6 relu_grad elu softplus softsign identity stop_gradient is_nan is_inf"
    " is_finite"
)
ABOVE_ZERO = "log log1p reciprocal rsqrt sqrt"
WITHIN_ONE = "acos asin atan"
PAIRS = (
    "add subtract multiply divide divide_no_nan floordiv floormod truncatediv maximum minimum"
    " multiply_no_nan atan2 squared_difference"
)
ORDERS = "equal not_equal less less_equal greater greater_equal"
BITS = "bitwise_and bitwise_or bitwise_xor left_shift right_shift"
REDUCTIONS = (
    "reduce_sum reduce_mean reduce_max reduce_min reduce_logsumexp reduce_variance reduce_std"
)

FAMILIES = (
    *(case(op, MATRIX) for op in ALL_SIGNS.split()),
    *(case(op, POSITIVE) for op in ABOVE_ZERO.split()),
    *(case(op, UNIT) for op in WITHIN_ONE.split()),
    *(case(op, MATRIX, ROW) for op in PAIRS.split()),
    *(case("python_divide", MATRIX, ROW, ints=ints) for ints in (False, True)),
    *(case("python_operand", ROW, symbol=symbol) for symbol in ("//", "%")),
    *(case("python_operand", COUNTS, symbol=symbol) for symbol in ("<<", ">>")),
    case("python_power", f(1.7), f(-0.9)),
    case("python_fold", ROW, f(0.5), function="sum"),
    case("python_fold", i(3, 4), i(2), function="math.prod"),
    *(case(op, f(0.5), MATRIX) for op in ("add", "multiply", "maximum")),
    *(case(op, COUNTS, i(2)) for op in ("add", "floordiv", "floormod", "pow", "truncatediv")),
    *(case(op, COUNTS, i(1, 2, 3)) for op in (ORDERS + " " + BITS).split()),
    *(
        case(op, b([[True], [False]]), b(True, False))
        for op in ("logical_and", "logical_or", "logical_xor")
    ),
    *(
        case(op, MATRIX, axis=axis, keepdims=keep)
        for op in REDUCTIONS.split()
        for axis, keep in ((None, False), ((0,), True), ((-1,), False), ((0, 1), False))
    ),
    *(
        case(op, COUNTS, axis=(1,), keepdims=False)
        for op in ("reduce_sum", "reduce_mean", "reduce_prod", "reduce_max")
    ),
    *(
        case(op, b([[True, False]]), axis=(0,), keepdims=False)
        for op in ("reduce_any", "reduce_all")
    ),
    *(case(op, MATRIX, axis=-1, output_type=int64) for op in ("argmax", "argmin")),
    *(
        case(op, MATRIX, axis=axis, exclusive=e, reverse=r)
        for op in ("cumsum", "cumprod")
        for axis, e, r in ((0, False, False), (1, True, True))
    ),
    *(case(op, MATRIX, axis=-1) for op in ("softmax", "log_softmax")),
    *(case(op, MATRIX, axis=0, descending=d) for op in ("sort", "argsort") for d in (True, False)),
    *(case(op, MATRIX, dtype=int32) for op in ("zeros_like", "ones_like")),
    *(case(op, s("aB", " c ")) for op in ("string_strip",)),
    *(case(op, s("aB", "c"), encoding="utf-8") for op in ("string_lower", "string_upper")),
)

SINGLE = (
    case("add", s("a", "b"), s("c")),
    case("add_n", MATRIX, MATRIX, MATRIX),
    case("as_string", f(1.5, 2.0), precision=2, scientific=False, shortest=False),
    case("band_part", MATRIX, num_lower=0, num_upper=1),
    case("boolean_mask", MATRIX, b(True, False), axis=0, exact=False),
    case("boolean_mask", MATRIX, b(True, False, True), axis=-1, exact=False),
    case("broadcast_like", ROW, MATRIX),
    case("broadcast_to", ROW, shape=(2, 3)),
    case("broadcast_to", ROW, i(2, 3), shape=(None, 3), exact=False),
    case("cast", MATRIX, dtype=float64),
    case("cast", COUNTS, dtype=float64),
    case("exact_cast", COUNTS.astype(np.int64), dtype=int32),
    case("cholesky", SQUARE),
    case("clip_by_value", MATRIX, f(-0.5), f(1.0)),
    case("concat", MATRIX, POSITIVE, axis=0),
    case("concat", MATRIX, f([[1.0], [2.0]]), axis=-1),
    case("constant", value=ArrayValue(MATRIX)),
    case("count_nonzero", COUNTS, axis=None, keepdims=False, output_type=int64),
    case("diag", ROW),
    case("diag_part", MATRIX),
    case("einsum", MATRIX, f(np.ones((3, 4))), equation="ij,jk->ik"),
    case("einsum", BATCH, equation="...ij->...ji"),
    case("einsum", MATRIX, equation="ij->j"),
    case("ensure_shape", MATRIX, shape=TensorShape((None, 3))),
    case("shard", MATRIX, axes=(None, "data")),
    case("expand_dims", MATRIX, axis=-1),
    case("expand_dims", MATRIX, axis=1),
    case("eye", shape=(2, 3), dtype=int32),
    case("eye", i(4, 3), shape=(None, 3), dtype=int32, exact=False),
    case("fill", f(7.0), shape=(2, 2)),
    case("fill", f(7.0), i(2, 2), shape=None, exact=False),
    case("gather", MATRIX, i([[0, 1], [1, 0]]), axis=0, batch_dims=0),
    case("gather", MATRIX, i(2, 0), axis=-1, batch_dims=0),
    case("gather", MATRIX, i([[0, 1], [1, 2]]), axis=1, batch_dims=1),
    case("gather", MATRIX, i(-1, 0), axis=1, batch_dims=0, wrap=True),
    case("gather_nd", MATRIX, i([[0, 1], [1, 2]]), batch_dims=0),
    case("gather_nd", MATRIX, i([[1], [0]]), batch_dims=0),
    case("gather_nd", MATRIX, i([[1], [0]]), batch_dims=1),
    case("invert", COUNTS),
    case("linspace", f(0.0), f(1.0), num=5, axis=0),
    case("logical_not", b(True, False)),
    case("matmul", MATRIX, f(np.ones((3, 4)))),
    case("matmul", MATRIX, MATRIX, transpose_a=True, transpose_b=False),
    case("matmul", MATRIX, f(np.ones((4, 3))), transpose_b=True, transpose_a=False),
    case("matmul", BATCH, f(np.ones((4, 2)))),
    case("matmul", COUNTS, i([[1], [2], [3]])),
    case("matrix_determinant", SQUARE),
    case("matrix_inverse", SQUARE),
    case("matrix_solve", SQUARE, f([[1.0], [2.0]])),
    case("matrix_transpose", BATCH),
    case("nonzero", COUNTS, exact=False),
    case("one_hot", i([0, 2]), f(1.0), f(0.0), depth=3, axis=-1),
    case("one_hot", i([[0, 2]]), i(5), i(1), depth=3, axis=0),
    case("pad", MATRIX, f(0.0), paddings=((1, 0), (0, 2)), mode="constant"),
    case("pad", MATRIX, f(0.0), i([[1, 0], [0, 2]]), paddings=None, mode="reflect", exact=False),
    case("pow", POSITIVE, ROW),
    case("range", i(0), i(5), i(2), length=3),
    case("range", i(0), i(5), i(2), length=None, exact=False),
    case("range", i(5), i(2), i(1), length=None, exact=False),
    case("range", i(2), i(5), i(-2), length=None, exact=False),
    case("range", i(5), i(-2), i(-3), length=None, exact=False),
    case("range", f(1.5), f(-2), f(0.5), length=None, exact=False),
    case("rank", MATRIX),
    case("reduce_join", s("a", "b"), axis=None, keepdims=False, separator=b","),
    case("repeat", MATRIX, i(2), axis=1, count=2),
    case("repeat", MATRIX, i(2, 1), axis=0, count=None, exact=False),
    case("reshape", MATRIX, shape=(3, 2)),
    case("reshape", MATRIX, shape=(-1,)),
    case("reshape", MATRIX, i(2, 3, 1), shape=(None, 3, None), exact=False),
    case("reshape", MATRIX, i(3, 2), shape=None, exact=False),
    case("reverse", MATRIX, axis=(0, 1)),
    case("roll", MATRIX, i(1), axis=(1,)),
    case("scatter_nd", i([[1], [3]]), f(9.0, 8.0), shape=(4,)),
    case("scatter_nd", i([[1], [3]]), f(9.0, 8.0), i([4]), shape=None, exact=False),
    case("select", b(True, False, True), MATRIX, POSITIVE),
    case("select", b(True), MATRIX, f(1.0)),
    case("set_item", MATRIX, f(5.0), index=Index((0, HashableSlice(1, None)))),
    case("set_item", MATRIX, f(5.0, 6.0), i(1, 0), index=Index((Input(0), 2))),
    case("shape", MATRIX, out_type=int64),
    case("size", MATRIX, out_type=int32),
    case("slice", MATRIX, i(0, 1), size=(1, 2)),
    case("slice", MATRIX, i(0, 1), size=(1, -1), exact=False),
    case("slice", MATRIX, i(0, 1), i(2, 1), size=None, exact=False),
    case("sigmoid_cross_entropy", f(0.0, 1.0, 0.25), f(-3.0, 0.5, 20.0)),
    *(case(f"sparse_softmax_{each}", i(0, 2), MATRIX) for each in ("grad", "both")),
    case("sparse_softmax_cross_entropy", i(0, 2), MATRIX),
    case("split", MATRIX, sizes=3, axis=1),
    case("split", MATRIX, sizes=(1, -1), axis=-1),
    case("squeeze", f([[[1.0], [2.0]]]), axis=None),
    case("squeeze", f([[[1.0], [2.0]]]), axis=(-1,)),
    case("stack", MATRIX, POSITIVE, axis=1),
    case("stack", f(1.0), f(2.0), axis=-1),
    case("strided_slice", BATCH, index=Index((0, ELLIPSIS, HashableSlice(None, None, -2)))),
    case("strided_slice", BATCH, index=Index((NEWAXIS, HashableSlice(1, None), -1))),
    case(
        "strided_slice",
        BATCH,
        i(1),
        i(3),
        index=Index((Input(0), HashableSlice(None, Input(1)))),
        exact=False,
    ),
    case("string_join", s("a", "b"), s("c"), separator=b"-"),
    case("string_length", s("ab", "c"), unit="BYTE"),
    case("substr", s("hello", "world"), i(1), i(3), unit="BYTE"),
    case("sum_to_like", MATRIX, ROW),
    case("sum_to_like", MATRIX, f([[1.0], [2.0]])),
    case("tensor_scatter_nd_add", ROW, i([[0], [0]]), f(1.0, 2.0)),
    case("tensor_scatter_nd_update", MATRIX, i([[1]]), f([[1.0, 2.0, 3.0]])),
    case("tensordot", MATRIX, f(np.ones((3, 4))), axes=1),
    case("tensordot", MATRIX, MATRIX, axes=((0, 1), (0, 1))),
    case("tile", MATRIX, multiples=(2, 1)),
    case("tile", MATRIX, i(2, 1), multiples=None, exact=False),
    case("to_number", s("1.5", "2"), out_type=float64),
    case("top_k", MATRIX, k=2),
    case("transpose", BATCH, perm=(2, 0, 1)),
    case("transpose", BATCH, perm=None),
    case("unique", i(7, 3, 7), out_idx=int32, exact=False),
    case("unstack", MATRIX, num=2, axis=0),
    case("unstack", MATRIX, num=3, axis=-1),
    case("xlogy", POSITIVE, POSITIVE),
    case("new_number", exact=False),
)

NUMBERS = boxed(ItemList([(i(4),), (i(5),), (i(6),)]))
PAIRS_OF = boxed(ItemList([(i(4), f(0.5, 1.5)), (i(5), f([2.5]))]))
INT = TensorSpec((), int32)
FLOATS = TensorSpec((None,), float32)

LISTS = (
    case("list_of", width=1),
    case("list_of", i(4), f(0.5, 1.5), i(5), f([2.5]), width=2),
    case("list_append", NUMBERS, i(7)),
    case("list_append", PAIRS_OF, i(7), f(0.5)),
    case("list_extend", NUMBERS, NUMBERS),
    case("list_length", NUMBERS),
    case("list_get", NUMBERS, i(-1), specs=(INT,)),
    case("list_get", PAIRS_OF, i(1), specs=(INT, FLOATS), exact=False),
    case("list_set", PAIRS_OF, i(0), i(9), f(0.5)),
    case("list_pop", NUMBERS, specs=(INT,)),
    case("list_pop", PAIRS_OF, i(0), specs=(INT, FLOATS), exact=False),
    case("list_insert", NUMBERS, i(1), i(9)),
    case("list_slice", NUMBERS, span=HashableSlice(None, -1)),
    case("list_slice", NUMBERS, i(0), i(2), span=HashableSlice(Input(0), None, Input(1))),
    case("list_set_slice", NUMBERS, NUMBERS, i(1), span=HashableSlice(0, Input(0))),
    case("list_delete", NUMBERS, i(1)),
    case("list_delete_slice", NUMBERS, i(1), span=HashableSlice(Input(0), None)),
    case("list_reverse", NUMBERS),
    case("list_repeat", NUMBERS, i(2)),
    case("list_take", NUMBERS, i(2, 0)),
    case("list_stack", NUMBERS, leaf=0, spec=INT, exact=False),
    case("list_concat", PAIRS_OF, leaf=1, spec=FLOATS, exact=False),
    case("list_from_rows", MATRIX, COUNTS),
    case("list_from_parts", ROW, i(1, 2)),
)

ROWS = TensorSpec((3,), float32)
SLOTS = boxed(TensorArrayContents(ItemList([(ROW,), UNWRITTEN]), ROWS.shape))
GROWING = {"dynamic": True, "inferred": True}

ARRAYS = (
    case("tensor_array", i(3), element=ROWS),
    case("tensor_array_write", SLOTS, i(1), ROW, **GROWING),
    case("tensor_array_write", SLOTS, i(4), ROW, **GROWING),
    case("tensor_array_scatter", SLOTS, i(1, 3), boxed(ItemList([(ROW,), (ROW,)])), **GROWING),
    case("tensor_array_fill", SLOTS, boxed(ItemList([(ROW,)])), **GROWING),
    case("tensor_array_read", SLOTS, i(1), element=ROWS),
    case("tensor_array_items", SLOTS, element=ROWS),
    case("tensor_array_items", SLOTS, i(1, 0), element=ROWS),
    case("tensor_array_size", SLOTS),
    case("tensor_array_resize", SLOTS, i(1)),
    case("tensor_array_resize", SLOTS, i(3)),
    case("tensor_array_sum", SLOTS, SLOTS),
)

# One number, or two, inside the domain of each function.
MATHEMATICS = (
    *(
        case("python_math", f(x), function=name, dtype=float64)
        for name, x in {
            **dict.fromkeys("acos asin atan atanh erf erfc exp expm1 sin cos tan".split(), 0.3),
            **dict.fromkeys("asinh sinh cosh tanh degrees radians fabs".split(), -0.7),
            **dict.fromkeys("acosh log log10 log1p log2 sqrt".split(), 2.5),
            **({"cbrt": 2.5, "exp2": 1.5} if hasattr(math, "cbrt") else {}),
        }.items()
    ),
    *(
        case("python_math", f(x), f(y), function=name, dtype=float64)
        for name, x, y in (
            ("atan2", 0.3, -2.0),
            ("copysign", -0.3, 2.0),
            ("fmod", -7.5, 2.0),
            ("hypot", 3.0, -4.0),
            ("log", 5.0, 3.0),
            ("pow", 2.5, 1.5),
        )
    ),
    case("python_math", f(0.1, 0.2, 0.3), function="fsum", dtype=float64, smooth=False),
    *(
        case("python_math", f(x), *more, function=name, dtype=dtype, smooth=False)
        for name, x, more, dtype in (
            ("frexp", 5.0, (), float64),
            ("frexp_exponent", 5.0, (), int32),
            ("ldexp", 0.75, (i(3),), float64),
            ("nextafter", 2.5, (f(3.0),), float64),
            ("ulp", 2.5, (), float64),
        )
    ),
    case("python_math", f(-2.5), i(3), function="pow", dtype=float64),
    case("python_math", i(17), function="isqrt", dtype=int32),
)

PYTHON_NUMBERS = (
    *MATHEMATICS,
    case("python_int", f(2.5, -3.5), dtype=int32),
    case("python_round", f(2.55, -3.45), i(1), smooth=False),
    case("power_modulo", COUNTS, i(3), i(5)),
    case("first_extreme", ROW, largest=True),
    case("python_order", ROW, descending=True),
    case("format_values", i(7), template=TextTemplate(("<", TemplateField(0, "", ("03d",)), ">"))),
    case("text_item", s("Text"), i(1), given=(True,)),
    case("text_item", s("Text"), i(1), i(2), given=(True, False, True)),
    *(case("number_method", f(6.0), method=method) for method in ("is_integer", "hex")),
    case("number_method", i(6), method="bit_length"),
    case("text_method", s("Text"), method="upper"),
    case("text_method", s("Text"), s("ex"), method="find"),
)

PAIRED = TensorSlices(Element((TensorSpec((), float32), TensorSpec((), int32))))
PLACE = boxed(DatasetPosition(itertools.repeat((ROW[0, ...], i(4)))))

DATASETS = (
    case("dataset_size", ROW, i(4, 5, 6), dataset=PAIRED),
    case("dataset_begin", ROW, i(4, 5, 6), dataset=PAIRED),
    case("dataset_has_item", PLACE),
    case("dataset_item", PLACE, specs=PAIRED.rows.specs),
    case("dataset_place_after", PLACE),
)

# Those of families of their own, which use what is above.
from tests.laws.samples import (  # noqa: E402
    backward,
    datasets,
    files,
    gates,
    images,
    item_gradients,
    mathematics,
    matrices,
    partitions,
    random,
    texts,
)

IMAGES = tuple(
    # A largest element changes at once where it is another one.
    Sample(op, inputs, attrs, smooth=op not in ("max_pool_back", "max_pool_picked"))
    for op, inputs, attrs in images.SAMPLES
)
KEPT = tuple(Sample(*each) for each in datasets.SAMPLES)
LISTED = (backward, files, gates, item_gradients, mathematics, matrices, random, partitions, texts)
APART = IMAGES + KEPT + tuple(each for family in LISTED for each in family.SAMPLES)

SAMPLES = FAMILIES + SINGLE + LISTS + ARRAYS + PYTHON_NUMBERS + DATASETS + APART
