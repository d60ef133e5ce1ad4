"""Lowering of matrix products, diagonals, and `einsum`."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any

from runtime.core.dtypes import int64
from runtime.export.graphdef.node_lowering import NodeLowering, Rule
from runtime.ops.grad.einsum import terms_of


def _matmul(step: NodeLowering) -> Any:
    a, b = step.inputs
    first, second = step.attrs.get("transpose_a", False), step.attrs.get("transpose_b", False)
    if all(tensor.shape.rank == 2 for tensor in step.node.inputs):
        return step.last("MatMul", a, b, transpose_a=first, transpose_b=second)
    if step.dtype.is_complex and (first or second):
        raise step.unsupported("of several complex matrices TensorFlow transposes the conjugates")
    return step.last("BatchMatMulV2", a, b, adj_x=first, adj_y=second)


def _inverse(op: str) -> Rule:
    def rule(step: NodeLowering) -> Any:
        return step.last(op, *step.inputs, adjoint=False)

    return rule


def _diag(step: NodeLowering) -> Any:
    k, size = step.const(0, "k"), step.const(-1, "num_rows")
    padding = step.const(0, "padding_value", step.dtype)
    other = step.const(-1, "num_cols")
    return step.last("MatrixDiagV3", step.inputs[0], k, size, other, padding, align=_ALIGN)


def _diag_part(step: NodeLowering) -> Any:
    padding = step.const(0, "padding_value", step.dtype)
    return step.last("MatrixDiagPartV3", step.inputs[0], step.const(0, "k"), padding, align=_ALIGN)


_ALIGN = "RIGHT_LEFT"


def _band_part(step: NodeLowering) -> Any:
    low = step.const(step.attrs["num_lower"], "num_lower", int64)
    high = step.const(step.attrs["num_upper"], "num_upper", int64)
    return step.last("MatrixBandPart", step.inputs[0], low, high)


def _einsum(step: NodeLowering) -> Any:
    """Multiply two operands after the other, since TensorFlow's node takes at most two."""
    (first, *terms), result = terms_of(step.attrs["equation"])
    product, *operands = step.inputs
    while len(operands) > 1:
        second, *terms = terms
        kept = _labels_left(first + second, [*terms, result])
        equation = f"{first},{second}->{kept}"
        product = step.add("Einsum", [product, operands.pop(0)], equation=equation)
        first = kept
    equation = f"{','.join([first, *terms])}->{result}"
    return step.last("Einsum", [product, *operands], equation=equation)


def _labels_left(labels: str, later: list[str]) -> str:
    """Return the labels that later operands or the result have, once each.

    >>> _labels_left("bij...bj", ["jk", "...bk"])
    '...bj'
    """
    rest = "".join(later)
    kept = dict.fromkeys(label for label in labels if label != "." and label in rest)
    return "".join(["..." if "..." in labels else "", *kept])


def _tensordot(step: NodeLowering) -> Any:
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
    "tensordot": _tensordot,
}
