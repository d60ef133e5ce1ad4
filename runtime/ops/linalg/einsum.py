"""Sums of products over named or numbered axes, of two arrays as matrix products where possible.

    bhqd,bhkd->bhqk     for each b and h the product of (q, d) and (d, k)

NumPy would search for such products in each call, and find none if a label is in all three terms.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from runtime.core.argument_checks import plain_text
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, ShapeError
from runtime.ops import infer
from runtime.ops.arguments import known_array
from runtime.ops.convert import matched
from runtime.ops.grad import einsum as products
from runtime.ops.grad.einsum import Axes
from runtime.ops.linalg.matmul_kernels import product
from runtime.ops.op import apply, define

# NumPy computes products of other dtypes without BLAS.
_KINDS = frozenset("fdFD")


class _ProductLayout(NamedTuple):
    """The axes of the operands and of the result of a product.

    Attributes:
        first, second: the axes of the operands, shared ones first.
        counts: the numbers of axes: shared, only in the first, only in the second, and summed.
        pairs: the axes of both operands with the same label.
        order: the axes of the result; None if they are in order.
    """

    first: tuple[int, ...]
    second: tuple[int, ...]
    counts: tuple[int, int, int, int]
    pairs: tuple[tuple[int, int], ...]
    order: tuple[int, ...] | None


def einsum_product(equation: str, x: Array, y: Array) -> Array | None:
    """Return the product of two arrays by an equation without an ellipsis, or None.

    >>> import numpy as np
    >>> einsum_product("ij,kj->ki", np.eye(2), np.ones((3, 2))).shape
    (3, 2)
    >>> einsum_product("ij,ij->ij", np.eye(2), np.eye(2)) is None
    True
    """
    way = _way(equation)
    if way is None or x.dtype.char not in _KINDS or x.dtype != y.dtype:
        return None
    # An axis of size 1 broadcasts to the size of the other operand.
    if any(x.shape[at] != y.shape[other] for at, other in way.pairs):
        return None
    shared, rows, columns, summed = way.counts
    a, b = x.transpose(way.first), y.transpose(way.second)
    lead, a_sizes = a.shape[:shared], a.shape[shared : shared + rows]
    b_sizes = b.shape[shared + summed :]
    if rows != 1 or summed != 1:
        a = a.reshape((*lead, *_joined(a_sizes), *_joined(a.shape[shared + rows :])))
    if columns != 1 or summed != 1:
        b = b.reshape((*lead, *_joined(b.shape[shared : shared + summed]), *_joined(b_sizes)))
    found = product(a, b)
    if rows != 1 or columns != 1:
        found = found.reshape((*lead, *a_sizes, *b_sizes))
    return found if way.order is None else found.transpose(way.order)


def _joined(sizes: Sequence[int]) -> tuple[int]:
    count = 1
    for size in sizes:
        count *= size
    return (count,)


@lru_cache(maxsize=256)
def _way(equation: str) -> _ProductLayout | None:
    terms, _, result = equation.partition("->")
    one, _, other = terms.partition(",")
    if not result.isalpha() and result or not (one.isalpha() and other.isalpha()):
        return None
    if any(len(set(term)) != len(term) for term in (one, other, result)):
        return None
    summed = [label for label in one if label in other and label not in result]
    shared = [label for label in result if label in one and label in other]
    rows = [label for label in result if label in one and label not in other]
    columns = [label for label in result if label in other and label not in one]
    # A label that only one operand has, and that is summed, is no part of a matrix product.
    whole = len(one) == len(shared + rows + summed) and len(other) == len(shared + columns + summed)
    if not summed or not whole:
        return None
    made = [*shared, *rows, *columns]
    order = tuple(made.index(label) for label in result)
    return _ProductLayout(
        tuple(one.index(label) for label in (*shared, *rows, *summed)),
        tuple(other.index(label) for label in (*shared, *summed, *columns)),
        (len(shared), len(rows), len(columns), len(summed)),
        tuple((one.index(label), other.index(label)) for label in (*shared, *summed)),
        None if order == tuple(range(len(order))) else order,
    )


def _einsum_kernel(*arrays: Array, equation: str) -> Array:
    # Large operands are multiplied as matrices; for small ones the search would cost more.
    is_large = len(arrays) > 2 or (len(arrays) == 2 and max(x.size for x in arrays) > _SMALL)
    found = einsum_product(equation, *arrays) if is_large and len(arrays) == 2 else None
    if found is not None:
        return found
    return np.asarray(np.einsum(equation, *arrays, optimize=is_large))


_SMALL = 1024


def _einsum_infer(*specs: TensorSpec, equation: str) -> TensorSpec:
    infer.check_same_dtype(*specs)
    terms, result = _terms(equation, len(specs))
    if any(spec.shape.rank is None for spec in specs) and "..." in result:
        return TensorSpec(None, specs[0].dtype)
    sizes: dict[str, int | None] = {}
    batch = TensorShape.of(())
    for term, spec in zip(terms, specs, strict=True):
        batch = batch.broadcast(_bind(term, spec, sizes))
    before, dots, after = result.partition("...")
    shape = TensorShape.of(tuple(sizes.get(label) for label in before))
    shape = shape + batch if dots else shape
    return TensorSpec(shape + tuple(sizes.get(label) for label in after), specs[0].dtype)


def _bind(term: str, spec: TensorSpec, sizes: dict[str, int | None]) -> TensorShape:
    """Add the size of each label of an operand to `sizes`; return the dimensions of its `...`."""
    if spec.shape.rank is None:
        return TensorShape.of(())
    before, dots, after = term.partition("...")
    width = spec.shape.rank - len(before) - len(after)
    if width < 0 or (width and not dots):
        raise ShapeError(f"{term!r} does not fit shape {spec.shape}")
    dims = [*spec.shape[: len(before)], *spec.shape[len(before) + width :]]
    for label, size in zip(before + after, dims, strict=True):
        known = sizes.get(label)
        if known not in (None, size) and size is not None:
            raise ShapeError(f"the axis {label!r} is both {known} and {size}")
        sizes[label] = size if known is None else known
    return spec.shape[len(before) : len(before) + width]


def _terms(equation: str, count: int) -> tuple[list[str], str]:
    terms, result = products.terms_of(equation)
    if len(terms) != count:
        raise ArgumentValueError(f"{equation!r} has {len(terms)} operands, got {count}")
    for part in (*terms, result):
        _check_labels(part, equation)
    unknown = sorted(set(result) - set("".join(terms)) - {"."})
    if unknown:
        raise ArgumentValueError(f"{equation!r}: the result has {unknown[0]!r}, no operand has it")
    twice = sorted(label for label in set(result) - {"."} if result.count(label) > 1)
    if twice:
        raise ArgumentValueError(f"{equation!r}: the result has {twice[0]!r} more than once")
    return terms, result


def _check_labels(part: str, equation: str) -> None:
    labels = part.replace("...", "", 1)
    wrong = next((each for each in labels if not (each.isascii() and each.isalpha())), None)
    if wrong is not None:
        raise ArgumentValueError(
            f"{equation!r}: an axis must be a letter, not {wrong!r}, and `...` must stand once in "
            "an "
            "operand: write equations as ij,jk->ik"
        )


def _tensordot_kernel(a: Array, b: Array, *, axes: Axes) -> Array:
    return np.asarray(np.tensordot(a, b, axes)).astype(a.dtype, copy=False)


def _tensordot_infer(a: TensorSpec, b: TensorSpec, *, axes: Axes) -> TensorSpec:
    infer.check_same_dtype(a, b)
    if a.shape.rank is None or b.shape.rank is None:
        return TensorSpec(None, a.dtype)
    first, second = _paired(axes, a.shape.rank, b.shape.rank)
    for i, j in zip(first, second, strict=True):
        if not TensorShape.of((a.shape[i],)).is_compatible_with((b.shape[j],)):
            raise ShapeError(f"shapes {a.shape} and {b.shape} differ in axes {i} and {j}")
    return TensorSpec(
        infer.reduced_shape(a.shape, tuple(first), False)
        + infer.reduced_shape(b.shape, tuple(second), False),
        a.dtype,
    )


def _paired(axes: Axes, a_rank: int, b_rank: int) -> tuple[Sequence[int], Sequence[int]]:
    if isinstance(axes, int):
        if not 0 <= axes <= min(a_rank, b_rank):
            raise ShapeError(f"{axes} axes cannot be summed over ranks {a_rank} and {b_rank}")
        return range(a_rank - axes, a_rank), range(axes)
    first: Sequence[int]
    second: Sequence[int]
    first, second = axes
    if len(set(first)) != len(first) or len(set(second)) != len(second):
        raise ShapeError(f"axes {list(first)} and {list(second)} name an axis twice")
    if len(first) != len(second):
        raise ShapeError(f"axes {list(first)} and {list(second)} do not pair up")
    first, second = (
        [infer.axis_of(axis, rank) for axis in side]
        for side, rank in ((first, a_rank), (second, b_rank))
    )
    return first, second


EINSUM = define(
    "einsum",
    _einsum_kernel,
    _einsum_infer,
    kinds="iufc",
    grad=products.EINSUM,
    tensorflow_name="Einsum",
)
TENSORDOT = define(
    "tensordot", _tensordot_kernel, _tensordot_infer, kinds="iufc", grad=products.TENSORDOT
)


def einsum(
    equation: str, *inputs: TensorLike, name: str | None = None, optimize: object = None
) -> Tensor:
    """Return the sum of products that an equation such as `ij,jk->ik` describes.

    Raises:
        InvalidArgumentError, ShapeError: the equation does not fit the operands.

    >>> print(einsum("i,j->ij", [1, 2], [3, 4]))
    rt.Tensor(
    [[3 4]
     [6 8]], shape=(2, 2), dtype=int32)
    """
    if not inputs:
        raise ArgumentValueError(f"{equation!r} needs operands, got none")
    operands, _ = matched(inputs, "einsum")
    result: Tensor = apply(
        EINSUM, operands, equation=plain_text(equation, "the equation").replace(" ", "")
    )
    return result


def tensordot(a: TensorLike, b: TensorLike, axes: TensorLike, name: str | None = None) -> Tensor:
    """Return the sum of products over pairs of axes.

    Args:
        axes: the number of axes (last ones of a, first ones of b), or two lists of axes.

    >>> tensordot([1, 2, 3], [4, 5, 6], 1)
    <rt.Tensor: shape=(), dtype=int32, numpy=32>
    """
    operands, _ = matched((a, b), "tensordot")
    known = known_array(axes, "axes")
    if (
        known.size
        and known.dtype.kind not in "iu"
        or known.ndim > 2
        or (known.ndim and len(known) != 2)
    ):
        raise ArgumentValueError("axes must be an int or two lists of axes")
    frozen: Any = int(known) if known.ndim == 0 else tuple(_row(row) for row in known.tolist())
    result: Tensor = apply(TENSORDOT, operands, axes=frozen)
    return result


def _row(row: Any) -> tuple[int, ...]:
    return tuple(row) if isinstance(row, list) else (row,)
