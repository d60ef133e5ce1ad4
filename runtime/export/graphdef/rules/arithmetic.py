"""Lowering of arithmetic, comparisons, casts and constants of several nodes or with attributes."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import float32 as FLOAT
from runtime.core.dtypes import int32 as INT
from runtime.core.dtypes import is_variant_array
from runtime.core.dtypes import string as STRING
from runtime.core.tensor import Array
from runtime.export.graphdef.function_body import ValueRef
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule


def _constant(step: GraphDefNodeLowering) -> Any:
    array: Array = step.attrs["value"].array
    if is_variant_array(array):
        raise step.unsupported("a file cannot hold a list that was made before the function runs")
    return step.last("Const", dtype=step.dtype, value=array)


def _cast(step: GraphDefNodeLowering) -> Any:
    return step.last("Cast", step.inputs[0], DstT=step.attrs["dtype"], Truncate=False)


def _add(step: GraphDefNodeLowering) -> Any:
    return step.last("Add" if step.dtype.is_string else "AddV2", *step.inputs)


def _abs(step: GraphDefNodeLowering) -> Any:
    if step.spec(0).dtype.is_complex:
        return step.last("ComplexAbs", step.inputs[0], Tout=step.dtype)
    return step.last("Abs", step.inputs[0])


def _compared(op: str) -> Rule:
    def rule(step: GraphDefNodeLowering) -> Any:
        strict = "otherwise" not in step.attrs
        return step.last(op, *step.inputs, incompatible_shape_error=strict)

    return rule


def _exclusive(step: GraphDefNodeLowering) -> Any:
    return step.last("NotEqual", *step.inputs, incompatible_shape_error=True)


def _floordiv(step: GraphDefNodeLowering) -> Any:
    """Divide floats as Python does: x // y is (x - x % y) / y.

    TensorFlow takes the floor of the rounded quotient: there 1.0 // 0.1 is 10.
    """
    if not step.dtype.is_floating:
        return step.last("FloorDiv", *step.inputs)
    x, y = step.inputs
    whole = step.add("Sub", x, step.add("FloorMod", x, y))
    quotient = step.add("Round", step.add("RealDiv", whole, y))
    by_zero = step.add("Equal", y, step.const(0, "zero", step.dtype))
    return step.last("SelectV2", by_zero, step.add("RealDiv", x, y), quotient)


def _truncatediv(step: GraphDefNodeLowering) -> Any:
    if not step.dtype.is_floating:
        return step.last("TruncateDiv", *step.inputs)
    quotient = step.add("RealDiv", *step.inputs)
    size = step.add("Floor", step.add("Abs", quotient))
    return step.last("Mul", step.add("Sign", quotient), size)


def _clip(step: GraphDefNodeLowering) -> Any:
    x, low, high = step.inputs
    return step.last("Maximum", step.add("Minimum", x, high), low)


def _add_n(step: GraphDefNodeLowering) -> Any:
    shapes = {tensor.shape for tensor in step.node.inputs if tensor.shape.is_fully_defined()}
    if len(shapes) == 1 and all(each.shape.is_fully_defined() for each in step.node.inputs):
        return step.last("AddN", list(step.inputs))
    total, *others = step.inputs
    for each in others[:-1]:
        total = step.add("AddV2", total, each)
    return step.last("AddV2", total, others[-1]) if others else step.last("Identity", total)


def _python_divide(step: GraphDefNodeLowering) -> Any:
    """Divide with Python's error for 0; without a check, floats would continue as infinity."""
    x, y = step.inputs
    checked = _refused(step, y, "NotEqual", "division by zero")
    return step.last("RealDiv", x, checked)


def _python_operand(step: GraphDefNodeLowering) -> Any:
    y, symbol = step.inputs[0], step.attrs["symbol"]
    shifts = symbol in ("<<", ">>")
    relation = "GreaterEqual" if shifts else "NotEqual"
    words = "negative shift count" if shifts else "division by zero"
    return step.last("Identity", _refused(step, y, relation, words))


def _python_int(step: GraphDefNodeLowering) -> Any:
    """Truncate floats, with errors for those that do not fit: NaN is neither in the limits."""
    x, dtype, target = step.inputs[0], step.spec(0).dtype, step.node.outputs[0].dtype
    if dtype.size < 4:
        x, dtype = step.add("Cast", x, DstT=FLOAT), FLOAT
    limits = np.iinfo(target.np_dtype)
    low = step.add("GreaterEqual", x, step.const(float(limits.min), "min", dtype))
    high = step.add("Less", x, step.const(float(limits.max) + 1, "limit", dtype))
    words = f"a number does not fit {target.name}"
    checked = _asserted(step, x, step.add("LogicalAnd", low, high), words)
    return step.last("Cast", checked, DstT=target, Truncate=False)


def _refused(step: GraphDefNodeLowering, value: ValueRef, relation: str, words: str) -> ValueRef:
    """Return `value`, after a check of its relation to 0."""
    dtype = step.spec(len(step.inputs) - 1).dtype
    holds = step.add(relation, value, step.const(0, "zero", dtype))
    return _asserted(step, value, holds, words)


def _asserted(step: GraphDefNodeLowering, value: ValueRef, holds: ValueRef, words: str) -> ValueRef:
    """Return `value`, after a check that a condition holds for each element."""
    rank = step.rank(len(step.inputs) - 1)
    axes = step.const(np.arange(rank, dtype=np.int32), "axes")
    step.add("Assert", step.add("All", holds, axes), [step.const(words, "words", STRING)])
    waits = step.body.changes[-1:]
    name = step.body.names.fresh(f"{step.scope}/Identity")
    return step.body.add("Identity", [value], name=name, waits=waits)[0]


def _fold(step: GraphDefNodeLowering) -> Any:
    """Sum or multiply integers in any order; floats would be rounded differently."""
    function = step.attrs["function"]
    if step.dtype.is_floating or step.dtype.is_complex:
        raise step.unsupported(f"{function} adds floats in Python's own order")
    x, start = step.inputs
    op, pair = ("Sum", "AddV2") if function == "sum" else ("Prod", "Mul")
    axes = step.const(np.arange(step.rank(), dtype=np.int32), "axes")
    return step.last(pair, step.add(op, x, axes, keep_dims=False), start)


def _broadcast_like(step: GraphDefNodeLowering) -> Any:
    x, like = step.inputs
    return step.last("BroadcastTo", x, step.add("Shape", like, out_type=INT))


def _spread(step: GraphDefNodeLowering) -> Any:
    x, like = step.inputs
    for axis in sorted(each % step.rank(1) for each in step.attrs["axis"]):
        x = step.add("ExpandDims", x, step.const(axis, "dim"))
    return step.last("BroadcastTo", x, step.add("Shape", like, out_type=INT))


def _sum_to_like(step: GraphDefNodeLowering) -> Any:
    x, like = step.inputs
    shape = step.add("Shape", like, out_type=INT)
    axes, _ = step.add("BroadcastGradientArgs", shape, step.add("Shape", x, out_type=INT))
    return step.last("Reshape", step.add("Sum", x, axes, keep_dims=False), shape)


def _nonzero(step: GraphDefNodeLowering) -> Any:
    x = step.inputs[0]
    if step.spec(0).dtype.is_string:
        x = step.add("NotEqual", x, step.const("", "nothing", STRING))
    return step.last("Where", x)


def _identity(step: GraphDefNodeLowering) -> Any:
    if isinstance(step.inputs[0], tuple):
        return step.inputs[0]
    return step.last("Identity", step.inputs[0])


def _bitcast(step: GraphDefNodeLowering) -> Any:
    return step.last("Bitcast", step.inputs[0], type=step.attrs["type"])


RULES: dict[str, Rule] = {
    "constant": _constant,
    "cast": _cast,
    "exact_cast": _cast,
    "identity": _identity,
    "add": _add,
    "add_n": _add_n,
    "abs": _abs,
    "equal": _compared("Equal"),
    "not_equal": _compared("NotEqual"),
    "logical_xor": _exclusive,
    "floordiv": _floordiv,
    "truncatediv": _truncatediv,
    "clip_by_value": _clip,
    "python_divide": _python_divide,
    "python_int": _python_int,
    "python_operand": _python_operand,
    "python_fold": _fold,
    "broadcast_like": _broadcast_like,
    "spread": _spread,
    "sum_to_like": _sum_to_like,
    "nonzero": _nonzero,
    "bitcast": _bitcast,
}
