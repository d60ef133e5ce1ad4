"""Operands on which the rules of the JAX engine are compared with the NumPy kernels.

They are the samples of ops, in other dtypes too, without elements, and with integers that are out
of range; grids of special values for elementwise ops; and Python's ints at the limits of a dtype.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache

import numpy as np

from runtime.core.dtypes import as_dtype
from runtime.executors.jax.rules import RULES
from runtime.ops.op import REGISTRY
from tests.laws import op_samples
from tests.laws.op_samples import SAMPLES, Sample
from tests.laws.rule_runs import Case

FLOATS = [np.dtype(each) for each in ("f2", "f4", "f8")]
INTEGERS = [np.dtype(each) for each in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")]
COMPLEX = [np.dtype(each) for each in ("c8", "c16")]

UNARY = (
    f"{op_samples.ALL_SIGNS} {op_samples.ABOVE_ZERO} {op_samples.WITHIN_ONE} invert logical_not "
    "erfc erfinv lgamma digamma ndtri bessel_i0 bessel_i1 bessel_i0e bessel_i1e asinh acosh atanh "
    "real imag conj angle"
)
BINARY = (
    f"{op_samples.PAIRS} {op_samples.ORDERS} {op_samples.BITS} pow xlogy xdivy xlog1py truncatemod "
    "logical_and logical_or logical_xor nextafter complex"
)

# Gradients whose operands fit each other, so that they are not cut off one by one.
NEVER_EMPTY = frozenset(
    "einsum_grad tensordot_grad gathered_back sliced_back spread unpadded".split()
)
# XLA multiplies the zeros between strides too, so that NaN spreads further.
FINITE = frozenset(("convolution_to_input", "convolution_to_filter"))

ORDINARY = {
    "f": [0.0, -0.0, 0.5, 1.0, -1.0, 1.5, -2.5, 3.0, 7.0, -0.3, 100.0, 1e-3, -8.0],
    "i": [1, -1, 2, 3, -7, 5, 100, -100],
    "u": [1, 2, 3, 7, 100],
    "c": [1 + 2j, -0.5 + 0.3j, 0.2 - 1.1j, -3 - 4j, 2.0, 1j],
    "b": [False, True],
}


def extremes(dtype: np.dtype) -> list[object]:
    """Return the special values of a dtype: limits, infinities, NaN and zeros."""
    if dtype.kind == "f":
        # The reciprocals of larger numbers are smaller than the numbers that XLA has.
        large = float(np.finfo(dtype).max) ** 0.9
        return [np.nan, np.inf, -np.inf, large, -large, 1 / large, 0.0, -0.0, 1.0, -1.5]
    if dtype.kind in "iu":
        return [0, 1, *({np.iinfo(dtype).min, np.iinfo(dtype).max, np.iinfo(dtype).max // 2})]
    return []


def _values(dtype: np.dtype) -> Iterator[np.ndarray]:
    yield np.array(ORDINARY[dtype.kind], dtype)
    if special := extremes(dtype):
        yield np.array(special, dtype)
    yield np.zeros((2, 0), dtype)


def _dtypes_of(op: str) -> list[np.dtype]:
    kinds = REGISTRY[op].kinds or "biufc"
    every = [*FLOATS, *INTEGERS, *COMPLEX, np.dtype(np.bool_)]
    return [each for each in every if each.kind in kinds]


def _grids(op: str) -> Iterator[Case]:
    """Yield special values of each dtype, and all pairs of them for an op of two operands."""
    for dtype in _dtypes_of(op):
        for values in _values(dtype):
            if op in UNARY.split():
                yield Case(op, (values,), {})
            elif op in BINARY.split():
                column = values[:, None] if values.ndim == 1 else values
                yield Case(op, (column, values), {})


def _of_sample(sample: Sample) -> Iterator[Case]:
    """Yield a sample, and its variants."""
    op, arrays, attrs = sample.op, sample.inputs, sample.attrs
    # The engine's core runs ranges of any length.
    yield Case(op, arrays, attrs, has_to_run=attrs.get("length", 0) is not None)
    for dtypes, kind in ((FLOATS, "f"), (INTEGERS, "i"), (COMPLEX, "f")):
        for dtype in dtypes:
            if dtype == np.uint64 and any(each.dtype.kind == "f" for each in arrays):
                continue  # NumPy has no indices of uint64.
            yield Case(op, tuple(_cast(each, kind, dtype) for each in arrays), attrs)
    if op not in NEVER_EMPTY:
        yield Case(op, tuple(each[:0] if each.ndim else each for each in arrays), attrs)
    for by in (1, -1, -3, 50):
        yield Case(
            op, tuple(each + by if each.dtype.kind == "i" else each for each in arrays), attrs
        )
    if op not in FINITE:
        yield Case(op, tuple(map(_with_nan, arrays)), attrs)


def _cast(array: np.ndarray, kind: str, dtype: np.dtype) -> np.ndarray:
    return (
        np.abs(array).astype(dtype)
        if array.dtype.kind == kind and dtype.kind == "u"
        else (array.astype(dtype) if array.dtype.kind == kind else array)
    )


def _with_nan(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind != "f" or not array.size:
        return array
    changed = array.copy()
    changed.flat[array.size // 2] = np.nan
    changed.flat[-1] = np.inf
    return changed


PYTHON_INTS = "add subtract multiply floordiv pow left_shift negative abs floormod"


def _python_ints(op: str) -> Iterator[Case]:
    for dtype in (np.dtype(np.int32), np.dtype(np.int64)):
        limits = np.iinfo(dtype)
        root = int(limits.max**0.5)
        numbers = [limits.min, limits.max, limits.max // 2 + 1, root, root + 1, -root - 1, -1, 0, 5]
        for x in numbers:
            for y in [None] if op in ("negative", "abs") else [1, -1, 2, 40, limits.max, root, 0]:
                arrays = tuple(np.array(each, dtype) for each in (x, y) if each is not None)
                yield Case(op, arrays, {}, is_weak=True)


def _exact_casts() -> Iterator[Case]:
    for dtype, target in itertools.permutations(INTEGERS, 2):
        limits, ends = np.iinfo(dtype), np.iinfo(target)
        near = (end + by for end in (ends.min, ends.max) for by in (-1, 0, 1))
        numbers = {int(limits.min), int(limits.max), *map(int, near)}
        for x in sorted(each for each in numbers if limits.min <= each <= limits.max):
            yield Case("exact_cast", (np.array(x, dtype),), {"dtype": as_dtype(target)})


def _is_numeric(case: Case) -> bool:
    return all(each.dtype.kind in "biufc" for each in case.arrays)


@cache
def cases_of(op: str) -> tuple[Case, ...]:
    """Return the operands for the rule of an op."""
    found = [case for sample in SAMPLES if sample.op == op for case in _of_sample(sample)]
    if op in UNARY.split() or op in BINARY.split():
        found += _grids(op)
    if op in PYTHON_INTS.split():
        found += _python_ints(op)
    if op == "exact_cast":
        found += _exact_casts()
    distinct: dict[object, Case] = {}
    for case in filter(_is_numeric, found):
        key = (
            case.is_weak,
            repr(case.attrs),
            *((x.dtype, x.shape, x.tobytes()) for x in case.arrays),
        )
        distinct.setdefault(key, case)
    return tuple(distinct.values())


OPS = sorted(op for op in RULES if cases_of(op))
