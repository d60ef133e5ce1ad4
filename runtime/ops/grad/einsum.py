"""Gradients of `einsum` and `tensordot`.

A sum of products is linear in each factor, so its gradient by a factor is an op of the same kind,
and so are higher gradients.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.ops.gradient_rules import call, holomorphic, sum_to_like
from runtime.ops.infer import axis_of
from runtime.ops.op import apply, define

# The `axes` of tensordot: the number of summed axes, or the summed axes of each factor.
Axes: TypeAlias = int | tuple[tuple[int, ...], tuple[int, ...]]


def _like_factor(dy: TensorSpec, *factors: TensorSpec, position: int, **attrs: Any) -> TensorSpec:
    return factors[position].unnamed()


# -- einsum ----------------------------------------------------------------------------------------


def terms_of(equation: str) -> tuple[list[str], str]:
    """Return the labels of each operand and of the result; without `->`, those that occur once.

    >>> terms_of("ij,jk"), terms_of("...i->i...")
    ((['ij', 'jk'], 'ik'), (['...i'], 'i...'))
    """
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if arrow:
        return terms, right
    labels = sorted(set(left) - set(",."))
    once = "".join(label for label in labels if left.count(label) == 1)
    return terms, ("..." if "..." in left else "") + once


def spelled_out(equation: str, ranks: Sequence[int]) -> tuple[list[str], str]:
    """Return the terms with unused letters in place of `...`.

    >>> spelled_out("...i->...", [3])
    (['ABi'], 'AB')
    """
    terms, result = terms_of(equation)
    widths = [rank - len(term.replace("...", "")) for term, rank in zip(terms, ranks)]
    free = [chr(code) for code in range(ord("A"), ord("z") + 1) if chr(code).isalpha()]
    free = [letter for letter in free if letter not in equation]
    most = max((width for term, width in zip(terms, widths) if "..." in term), default=0)
    dots = "".join(free[:most])
    full = [
        term.replace("...", dots[most - width :]) for term, width in zip(terms, widths, strict=True)
    ]
    return full, result.replace("...", dots)


def _einsum_gradient_kernel(dy: Array, *factors: Array, equation: str, position: int) -> Array:
    like = factors[position]
    terms, result = spelled_out(equation, [factor.ndim for factor in factors])
    own = terms[position]
    others = [(dy, result)]
    others += [pair for at, pair in enumerate(zip(factors, terms)) if at != position]
    there = set("".join(term for _, term in others))
    labels = list(dict.fromkeys(own))
    wanted = "".join(label for label in labels if label in there)
    written = ",".join(term for _, term in others) + "->" + wanted
    arrays = [array for array, _ in others]
    found = np.asarray(np.einsum(written, *arrays, optimize=len(arrays) > 2))
    # A label that only this factor has was summed: the gradient is constant along it.
    whole = np.expand_dims(found, tuple(at for at, each in enumerate(labels) if each not in there))
    gradient = np.zeros(like.shape, dy.dtype)
    place = (
        gradient if len(labels) == len(own) else np.einsum(f"{own}->{''.join(labels)}", gradient)
    )
    stretched = tuple(
        at for at, size in enumerate(place.shape) if size == 1 and whole.shape[at] != 1
    )
    place[...] = np.sum(whole, stretched, keepdims=True, dtype=dy.dtype) if stretched else whole
    return gradient


def _einsum_gradient_grad(
    dys: Any, outputs: Any, inputs: Any, *, equation: str, position: int
) -> tuple[Any, ...]:
    dy, *factors = inputs
    factors[position] = dys[0]
    ddy = call("einsum", *factors, equation=equation)
    gradients = [
        None if at == position else _einsum_gradient(dy, factors, equation, at)
        for at in range(len(factors))
    ]
    return sum_to_like(ddy, dy), *gradients


EINSUM_SLOPE = define(
    "einsum_grad",
    _einsum_gradient_kernel,
    _like_factor,
    kinds="fc",
    grad=holomorphic(_einsum_gradient_grad),
)


def _einsum_gradient(dy: Any, factors: list[Any], equation: str, position: int) -> Any:
    """Return the gradient by one factor, as another einsum if possible."""
    terms, result = terms_of(equation)
    own, others = terms[position], [result, *terms[:position], *terms[position + 1 :]]
    aligned = own.startswith("...") or not any("..." in term for term in terms)
    if aligned and len(set(own) - {"."}) == len(own.replace(".", "")):
        if all(label in "".join(others) for label in own):
            arrays = [dy, *factors[:position], *factors[position + 1 :]]
            gradient = call("einsum", *arrays, equation=f"{','.join(others)}->{own}")
            return sum_to_like(gradient, factors[position])
    return apply(EINSUM_SLOPE, (dy, *factors), equation=equation, position=position)


def _einsum(dys: Any, outputs: Any, inputs: Any, *, equation: str) -> tuple[Any, ...]:
    factors = list(inputs)
    return tuple(_einsum_gradient(dys[0], factors, equation, at) for at in range(len(factors)))


EINSUM = holomorphic(_einsum)


# -- tensordot -------------------------------------------------------------------------------------


def _summed(axes: Axes, ranks: tuple[int, int]) -> tuple[list[int], list[int]]:
    if isinstance(axes, int):
        return list(range(ranks[0] - axes, ranks[0])), list(range(axes))
    first, second = ([axis_of(axis, rank) for axis in side] for side, rank in zip(axes, ranks))
    return first, second


def _plan(
    axes: Axes, ranks: tuple[int, int], position: int
) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], tuple[int, ...]]:
    """Return the axes to sum over, of dy and the other factor, and the order of the rest.

    These are this factor's free axes, then the axes it was summed over, in the other factor's
    order.
    """
    mine, theirs = _summed(axes, ranks)[:: 1 if position == 0 else -1]
    rank, other = ranks[:: 1 if position == 0 else -1]
    free = [axis for axis in range(rank) if axis not in mine]
    others_free = [axis for axis in range(other) if axis not in theirs]
    of_dy = range(len(free), len(free) + len(others_free))
    if position == 1:
        of_dy = range(len(others_free))
    left = [*free, *(mine[theirs.index(axis)] for axis in range(other) if axis in theirs)]
    order = tuple(left.index(axis) for axis in range(rank))
    return (tuple(of_dy), tuple(others_free)), order


def _tensordot_gradient_kernel(
    dy: Array, a: Array, b: Array, *, axes: Axes, position: int
) -> Array:
    pairs, order = _plan(axes, (a.ndim, b.ndim), position)
    return np.transpose(np.tensordot(dy, b if position == 0 else a, pairs), order)


def _tensordot_gradient_grad(
    dys: Any, outputs: Any, inputs: Any, *, axes: Axes, position: int
) -> tuple[Any, ...]:
    dy, *factors = inputs
    factors[position] = dys[0]
    gradients: list[Any] = [None, None]
    gradients[1 - position] = _tensordot_gradient(dy, factors, axes, 1 - position)
    return call("tensordot", *factors, axes=axes), *gradients


TENSORDOT_SLOPE = define(
    "tensordot_grad",
    _tensordot_gradient_kernel,
    _like_factor,
    kinds="fc",
    grad=holomorphic(_tensordot_gradient_grad),
)


def _tensordot_gradient(dy: Any, factors: list[Any], axes: Axes, position: int) -> Any:
    ranks = tuple(factor.shape.rank for factor in factors)
    if None in ranks:
        return apply(TENSORDOT_SLOPE, (dy, *factors), axes=axes, position=position)
    pairs, order = _plan(axes, ranks, position)
    product = call("tensordot", dy, factors[1 - position], axes=pairs)
    return call("transpose", product, perm=order)


def _tensordot(dys: Any, outputs: Any, inputs: Any, *, axes: Axes) -> tuple[Any, Any]:
    first, second = (_tensordot_gradient(dys[0], list(inputs), axes, at) for at in (0, 1))
    return first, second


TENSORDOT = holomorphic(_tensordot)
