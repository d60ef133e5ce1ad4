"""Matrix products, diagonals and `einsum`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.export.onnx.node_lowering import OnnxNodeLowering, Rule
from runtime.export.onnx.rules.indexing import added_at, numbered
from runtime.export.onnx.rules.shapes import swapped
from runtime.export.onnx.values import ModelTensor
from runtime.ops.grad.einsum import spelled_out


def _matmul(step: OnnxNodeLowering) -> Any:
    x, y = step.inputs
    if step.attrs.get("transpose_a"):
        x = swapped(step, x, step.rank(0))
    if step.attrs.get("transpose_b"):
        y = swapped(step, y, step.rank(1))
    return step.op("MatMul", x, y)


def _einsum(step: OnnxNodeLowering) -> Any:
    return step.op("Einsum", *step.inputs, equation=step.attrs["equation"])


def _tensordot(step: OnnxNodeLowering) -> Any:
    """Contract axes, each of which has one letter in both operands."""
    ranks = [step.rank(0), step.rank(1)]
    left, right = _contracted(step.attrs["axes"], ranks)
    if (left, right, ranks[1]) == ([ranks[0] - 1], [0], 2):
        return step.op("MatMul", *step.inputs)
    letters = [chr(ord("a") + number) for number in range(sum(ranks))]
    first, second = letters[: ranks[0]], letters[ranks[0] :]
    for one, other in zip(left, right):
        second[other] = first[one]
    kept = [x for at, x in enumerate(first) if at not in left]
    kept += [x for at, x in enumerate(second) if at not in right]
    equation = f"{''.join(first)},{''.join(second)}->{''.join(kept)}"
    return step.op("Einsum", *step.inputs, equation=equation)


def _contracted(axes: Any, ranks: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the axes of both operands that are contracted; a number stands for inner ones."""
    if isinstance(axes, int):
        return list(range(ranks[0] - axes, ranks[0])), list(range(axes))
    left, right = ([each % rank for each in side] for side, rank in zip(axes, ranks))
    return left, right


# -- diagonals -------------------------------------------------------------------------------------


def _band_part(step: OnnxNodeLowering) -> Any:
    x, (low, high) = step.inputs[0], (step.attrs[name] for name in ("num_lower", "num_upper"))
    if low >= 0:
        x = step.op("Trilu", x, step.number(-low), upper=1)
    return step.op("Trilu", x, step.number(high), upper=0) if high >= 0 else x


def _diag_part(step: OnnxNodeLowering) -> Any:
    return diagonal_of(step, step.inputs[0], step.rank())


def diagonal_of(step: OnnxNodeLowering, x: ModelTensor, rank: int) -> ModelTensor:
    """Pick the elements of a diagonal out of the rows."""
    width = step.op("Min", step.size(x, -1), step.size(x, rank - 2))
    places = step.op("Range", step.number(0), step.op("Squeeze", width), step.number(1))
    lead = step.shape(x, 0, -2)
    rows = step.op("Slice", x, step.ints(0), width, step.ints(-2))
    column = step.op("Unsqueeze", places, step.ints(1))
    shape = step.op("Concat", lead, width, step.ints(1), axis=0)
    found = step.op("GatherElements", rows, step.op("Expand", column, shape), axis=-1)
    return step.op("Squeeze", found, step.ints(-1))


def _diag(step: OnnxNodeLowering) -> Any:
    x = step.inputs[0]
    size = step.op("Squeeze", step.size(x, -1))
    places = step.op("Range", step.number(0), size, step.number(1))
    same = step.op("Equal", step.op("Unsqueeze", places, step.ints(1)), places)
    return step.where(same, step.op("Unsqueeze", x, step.ints(-1)), step.like(0, x))


def _einsum_gradient(step: OnnxNodeLowering) -> Any:
    """Name the axes as the product does; an axis that only this factor has is constant."""
    dy, *factors = step.inputs
    position, equation = step.attrs["position"], step.attrs["equation"]
    if "..." in equation:
        raise step.unsupported("its axes `...` are not the first of all factors: name them")
    ranks = [step.rank(at + 1) for at in range(len(factors))]
    terms, result = spelled_out(equation, ranks)
    own, like = terms[position], factors[position]
    others = [
        (dy, result),
        *(pair for at, pair in enumerate(zip(factors, terms)) if at != position),
    ]
    there = "".join(term for _, term in others)
    labels = "".join(dict.fromkeys(own))
    wanted = "".join(label for label in labels if label in there)
    written = f"{','.join(term for _, term in others)}->{wanted}"
    found = step.op("Einsum", *(each for each, _ in others), equation=written)
    missing = [at for at, label in enumerate(labels) if label not in there]
    found = step.op("Unsqueeze", found, step.ints(*missing)) if missing else found
    if labels == own:
        return step.op("Expand", found, step.shape(like))
    places = step.op("Einsum", numbered(step, like), equation=f"{own}->{labels}")
    return added_at(step, like, places, step.op("Expand", found, step.shape(places)))


RULES: dict[str, Rule] = {
    "matmul": _matmul,
    "einsum": _einsum,
    "tensordot": _tensordot,
    "band_part": _band_part,
    "diag": _diag,
    "diag_part": _diag_part,
    "einsum_grad": _einsum_gradient,
}
