"""Shapes of nodes that a rule adds, such as the length of a list, which the graph does not know.

LiteRT takes a tensor of unknown rank for a number until a run gives it its shape, and refuses it
where a vector is needed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from runtime.core.shapes import TensorShape
from runtime.core.tensor import Array

Inputs = Sequence[tuple[TensorShape, "Array | None"]]
"""The shape of each operand, and its value if it is a constant."""

_UNKNOWN = TensorShape(None)
_SCALAR = TensorShape.of(())


def inferred(op: str, inputs: Inputs, attrs: Mapping[str, Any]) -> TensorShape:
    """Return the shape of the first result of an op as far as its operands tell it.

    >>> inferred("Shape", [(TensorShape([2, None]), None)], {})
    TensorShape([2])
    >>> inferred("Svd", [], {})
    TensorShape(None)
    """
    if op in _BROADCAST:
        return _broadcast(inputs, attrs)
    if op in _SAME:
        return inputs[0][0]
    return _RULES[op](inputs, attrs) if op in _RULES else _UNKNOWN


def _any(rank: int | None) -> TensorShape:
    return _UNKNOWN if rank is None else TensorShape.of((None,) * rank)


def _broadcast(inputs: Inputs, attrs: Mapping[str, Any]) -> TensorShape:
    found = inputs[0][0]
    for shape, _ in inputs[1:]:
        found = found.broadcast(shape)
    return found


def _vector(inputs: Inputs, attrs: Mapping[str, Any]) -> TensorShape:
    return TensorShape.of((None,))


def _scalar(inputs: Inputs, attrs: Mapping[str, Any]) -> TensorShape:
    return _SCALAR


def _sizes(inputs: Inputs, attrs: Mapping[str, Any]) -> TensorShape:
    return TensorShape.of((inputs[0][0].rank,))


def _given(position: int) -> Callable[[Inputs, Mapping[str, Any]], TensorShape]:
    """Return a rule for ops with the shape that an operand says."""

    def rule(inputs: Inputs, attrs: Mapping[str, Any]) -> TensorShape:
        shape, value = inputs[position]
        if value is not None:
            return TensorShape.of(tuple([None if dim < 0 else dim for dim in value.tolist()]))
        return _any(shape.dims[0] if shape.dims else None)

    return rule


def _reshaped(inputs: Inputs, attrs: Mapping[str, Any]) -> TensorShape:
    """Return the shape that the second operand says; the size of the rest is computed if known."""
    (before, _), (_, dims) = inputs
    found, count = _given(1)(inputs, attrs), before.num_elements()
    if dims is None or found.dims is None or count is None or found.dims.count(None) != 1:
        return found
    known = math.prod([dim for dim in found.dims if dim is not None])
    rest = count // known if known else 0
    return TensorShape.of(tuple([rest if dim is None else dim for dim in found.dims]))


def _expanded(inputs: Inputs, attrs: Mapping[str, Any]) -> TensorShape:
    (shape, _), (_, axis) = inputs
    if shape.dims is None or axis is None:
        return _any(None if shape.rank is None else shape.rank + 1)
    at = int(axis) % (len(shape.dims) + 1)
    return TensorShape.of((*shape.dims[:at], 1, *shape.dims[at:]))


def _packed(inputs: Inputs, attrs: Mapping[str, Any]) -> TensorShape:
    shape = inputs[0][0]
    if shape.rank == 0:
        return TensorShape.of((len(inputs),))
    return _any(None if shape.rank is None else shape.rank + 1)


def _joined(inputs: Inputs, attrs: Mapping[str, Any]) -> TensorShape:
    ranks = [shape.rank for shape, _ in inputs[:-1] if shape.rank is not None]
    return _any(ranks[0] if ranks else None)


def _gathered(inputs: Inputs, attrs: Mapping[str, Any]) -> TensorShape:
    (shape, _), (places, _), (_, axis) = inputs
    if axis is None or int(axis) != 0 or attrs.get("batch_dims", 0):
        return _UNKNOWN
    return _UNKNOWN if shape.rank is None else places + shape[1:]


def _sliced(inputs: Inputs, attrs: Mapping[str, Any]) -> TensorShape:
    shape, count = inputs[0][0], inputs[1][0]
    if shape.rank is None or not count.dims or count.dims[0] is None or attrs["ellipsis_mask"]:
        return _UNKNOWN
    used = range(count.dims[0])
    new = [bit for bit in used if attrs["new_axis_mask"] >> bit & 1]
    gone = [bit for bit in used if attrs["shrink_axis_mask"] >> bit & 1 and bit not in new]
    return _any(shape.rank + len(new) - len(gone))


def _split(inputs: Inputs, attrs: Mapping[str, Any]) -> TensorShape:
    (_, axis), (shape, _) = inputs
    if shape.dims is None or axis is None:
        return _any(shape.rank)
    at = int(axis) % len(shape.dims)
    size = shape.dims[at]
    part = None if size is None else size // attrs["num_split"]
    return TensorShape.of((*shape.dims[:at], part, *shape.dims[at + 1 :]))


def _squeezed(inputs: Inputs, attrs: Mapping[str, Any]) -> TensorShape:
    rank, axes = inputs[0][0].rank, attrs.get("squeeze_dims")
    return _any(rank - len(axes)) if rank is not None and axes else _UNKNOWN


def _places(inputs: Inputs, attrs: Mapping[str, Any]) -> TensorShape:
    return TensorShape.of((None, inputs[0][0].rank))


def _same_rank(inputs: Inputs, attrs: Mapping[str, Any]) -> TensorShape:
    return _any(inputs[0][0].rank)


def _reduced(inputs: Inputs, attrs: Mapping[str, Any]) -> TensorShape:
    (shape, _), (_, axes) = inputs
    if shape.dims is None or axes is None:
        return _any(shape.rank) if attrs.get("keep_dims") else _UNKNOWN
    gone = {int(axis) % len(shape.dims) for axis in axes.ravel()}
    if attrs.get("keep_dims"):
        return TensorShape.of(tuple([1 if at in gone else x for at, x in enumerate(shape.dims)]))
    return TensorShape.of(tuple([x for at, x in enumerate(shape.dims) if at not in gone]))


# Ops whose results all have one shape.
ALIKE = frozenset(("Split", "TopKV2"))
_BROADCAST = frozenset(
    """
    Add AddV2 Sub Mul RealDiv DivNoNan FloorDiv FloorMod TruncateDiv TruncateMod Pow Maximum Minimum
    SquaredDifference Equal NotEqual Less LessEqual Greater GreaterEqual LogicalAnd LogicalOr
    BitwiseAnd BitwiseOr BitwiseXor LeftShift RightShift Atan2 SelectV2 ClipByValue
    """.split()
)
_SAME = frozenset(
    """
    Abs Neg Sign Floor Ceil Round Square Sqrt Rsqrt Exp Log Log1p Expm1 Sin Cos Tan Tanh Sigmoid Erf
    Relu Cast LogicalNot Invert IsNan IsInf IsFinite ZerosLike OnesLike ReverseV2 Roll Cumsum
    TensorScatterUpdate TensorScatterAdd TensorScatterMax TensorScatterMin Softmax LogSoftmax AddN
    Reciprocal Softplus
    """.split()
)
_RULES: Mapping[str, Callable[[Inputs, Mapping[str, Any]], TensorShape]] = MappingProxyType(
    {
        "Range": _vector,
        "Size": _scalar,
        "Rank": _scalar,
        "Shape": _sizes,
        "Reshape": _reshaped,
        "BroadcastTo": _given(1),
        "Fill": _given(0),
        "ScatterNd": _given(2),
        "ExpandDims": _expanded,
        "Pack": _packed,
        "ConcatV2": _joined,
        "GatherV2": _gathered,
        "StridedSlice": _sliced,
        "Split": _split,
        "Squeeze": _squeezed,
        "Where": _places,
        "Tile": _same_rank,
        "Slice": _same_rank,
        "TopKV2": _same_rank,
        "Transpose": _same_rank,
        "PadV2": _same_rank,
        "Conv2D": _same_rank,
        "MaxPool": _same_rank,
        "AvgPool": _same_rank,
        "Conv2DBackpropInput": _given(0),
        **dict.fromkeys(("Sum", "Prod", "Max", "Min", "Mean", "Any", "All"), _reduced),
    }
)
