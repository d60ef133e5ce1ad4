"""Sums of products of two arrays (`einsum`) as matrix products, where possible.

    bhqd,bhkd->bhqk     for each b and h the product of (q, d) and (d, k)

NumPy would search for such products in each call, and find none if a label is in all three terms.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from runtime.core.tensor import Array
from runtime.ops.linalg.matmul_kernels import product

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
