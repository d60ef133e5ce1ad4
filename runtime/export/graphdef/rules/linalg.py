"""Lowering of matrix products, diagonals, and `einsum`."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase
from typing import Any

import numpy as np

from runtime.core.dtypes import int32, int64
from runtime.export.graphdef.function_body import ValueRef
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule
from runtime.ops.grad.einsum import spelled_out, terms_of


def _matmul(step: GraphDefNodeLowering) -> Any:
    a, b = step.inputs
    first, second = step.attrs.get("transpose_a", False), step.attrs.get("transpose_b", False)
    if all(tensor.shape.rank == 2 for tensor in step.node.inputs):
        return step.last("MatMul", a, b, transpose_a=first, transpose_b=second)
    if step.dtype.is_complex and (first or second):
        raise step.unsupported("of several complex matrices TensorFlow transposes the conjugates")
    return step.last("BatchMatMulV2", a, b, adj_x=first, adj_y=second)


def _inverse(op: str) -> Rule:
    def rule(step: GraphDefNodeLowering) -> Any:
        return step.last(op, *step.inputs, adjoint=False)

    return rule


def _diag(step: GraphDefNodeLowering) -> Any:
    return step.last("MatrixDiagV3", step.inputs[0], *_diagonal(step), align=_ALIGN)


def _diagonal(step: GraphDefNodeLowering) -> list[ValueRef]:
    """Return the operands of a node that makes matrices of their main diagonals."""
    size, other = step.const(-1, "num_rows"), step.const(-1, "num_cols")
    return [step.const(0, "k"), size, other, step.const(0, "padding_value", step.dtype)]


def _diag_part(step: GraphDefNodeLowering) -> Any:
    padding = step.const(0, "padding_value", step.dtype)
    return step.last("MatrixDiagPartV3", step.inputs[0], step.const(0, "k"), padding, align=_ALIGN)


_ALIGN = "RIGHT_LEFT"


def _band_part(step: GraphDefNodeLowering) -> Any:
    low = step.const(step.attrs["num_lower"], "num_lower", int64)
    high = step.const(step.attrs["num_upper"], "num_upper", int64)
    return step.last("MatrixBandPart", step.inputs[0], low, high)


def _einsum(step: GraphDefNodeLowering) -> Any:
    operands, equation = _last_product(step, *terms_of(step.attrs["equation"]), step.inputs)
    return step.last("Einsum", operands, equation=equation)


def _last_product(
    step: GraphDefNodeLowering, terms: Sequence[str], result: str, factors: Sequence[ValueRef]
) -> tuple[list[ValueRef], str]:
    """Return the operands and the equation of the last node: a node takes at most two operands."""
    first, *terms = terms
    product, *operands = factors
    while len(operands) > 1:
        second, *terms = terms
        kept = _labels_left(first + second, [*terms, result])
        equation = f"{first},{second}->{kept}"
        product = step.add("Einsum", [product, operands.pop(0)], equation=equation)
        first = kept
    return [product, *operands], f"{','.join([first, *terms])}->{result}"


def _einsum_gradient(step: GraphDefNodeLowering) -> Any:
    """Multiply the other factors; along an axis of which they know nothing, the result repeats."""
    dy, *factors = step.inputs
    at = step.attrs["position"]
    ranks = [step.rank(1 + number) for number in range(len(factors))]
    (*terms,), result = spelled_out(step.attrs["equation"], ranks)
    own = terms.pop(at)
    like = factors.pop(at)
    twice = "".join(dict.fromkeys(label for label in own if own.count(label) == 2))
    labels = "".join(dict.fromkeys(own.replace(twice, "") if twice else own)) + twice
    if len(labels) + len(twice) != len(own) or len(twice) > 1:
        raise step.unsupported("it is the gradient of several diagonals: take one after the other")
    there = "".join((result, *terms))
    wanted = "".join(label for label in labels if label in there)
    operands, equation = _last_product(step, [result, *terms], wanted, [dy, *factors])
    whole = step.add("Einsum", operands, equation=equation)
    alone = [number for number, label in enumerate(labels) if label not in there]
    for axis in alone:
        whole = step.add("ExpandDims", whole, step.const(axis, "axis"))
    axes = np.array([own.index(label) for label in labels], np.int32)
    sizes = step.add("GatherV2", step.add("Shape", like, out_type=int32), step.const(axes, "axes"),
                     step.const(0, "axis"), batch_dims=0)  # fmt: skip
    repeated, _ = step.add("BroadcastGradientArgs", sizes, step.add("Shape", whole, out_type=int32))
    summed = step.add("Sum", whole, repeated, keep_dims=True)
    spread = step.add("BroadcastTo", summed, sizes)
    if twice:
        spread = step.add("MatrixDiagV3", spread, *_diagonal(step), align=_ALIGN)
    names = [*labels, *twice]
    order = []
    for label in own:
        order.append(names.index(label))
        names[order[-1]] = ""
    return step.last("Transpose", spread, step.const(np.array(order, np.int32), "perm"))


def _labels_left(labels: str, later: list[str]) -> str:
    """Return the labels that later operands or the result have, once each.

    >>> _labels_left("bij...bj", ["jk", "...bk"])
    '...bj'
    """
    rest = "".join(later)
    kept = dict.fromkeys(label for label in labels if label != "." and label in rest)
    return "".join(["..." if "..." in labels else "", *kept])


def _tensordot(step: GraphDefNodeLowering) -> Any:
    """Name the axes: summed axes have one name in both operands."""
    first, second = step.rank(0), step.rank(1)
    axes = step.attrs["axes"]
    if isinstance(axes, int):
        axes = range(first - axes, first), range(axes)
    left = list(ascii_lowercase[:first])
    right = list(ascii_lowercase[first : first + second])
    for i, j in zip(*axes):
        right[j] = left[i]
    kept = [label for label in [*left, *right] if (left + right).count(label) == 1]
    equation = f"{''.join(left)},{''.join(right)}->{''.join(kept)}"
    return step.last("Einsum", list(step.inputs), equation=equation)


RULES: dict[str, Rule] = {
    "matmul": _matmul,
    "matrix_inverse": _inverse("MatrixInverse"),
    "matrix_solve": _inverse("MatrixSolve"),
    "diag": _diag,
    "diag_part": _diag_part,
    "band_part": _band_part,
    "einsum": _einsum,
    "einsum_grad": _einsum_gradient,
    "tensordot": _tensordot,
}
