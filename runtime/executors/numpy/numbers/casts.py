"""Python expressions for casts of scalars."""

from __future__ import annotations

from runtime.executors.numpy.numbers.expression import (
    COMPARISON,
    PRODUCT,
    Expression,
    called,
    chosen,
    joined,
)
from runtime.executors.numpy.numbers.number_op import NumberOp
from runtime.executors.numpy.numbers.representation import LIMITS

# Floats represent all integers up to this limit exactly.
_EXACT_FLOATS = 2**53


def cast(call: NumberOp) -> Expression | None:
    """Return the expression of a cast between dtypes."""
    source, target = call.node.inputs[0].dtype, call.dtype
    if source is target:
        return call.settled(call[0]) if target.is_integer else call[0]
    if source.kind == "b":
        return chosen(call[0], call.number(1), call.number(0))
    if target.kind == "b":
        return joined(call[0], "!=", call.number(0, source), COMPARISON)
    if target.is_integer:
        return call.settled(call[0]) if source.is_integer else whole(call, fails=False)
    return _as_float(call)


def _as_float(call: NumberOp) -> Expression:
    source = call.node.inputs[0].dtype
    if call.dtype.name == "float64":
        return called("float", call[0])
    exact = (-_EXACT_FLOATS, _EXACT_FLOATS)
    # The product with a float32 rounds a Python float to float32.
    if not source.is_integer:
        return joined(call.number(1), "*", call[0], PRODUCT)
    if call.known.operands[0].is_within(exact):
        return joined(call.number(1), "*", called("float", call[0]), PRODUCT)
    x = call.repeated(0)
    least = call.number(max(-_EXACT_FLOATS, LIMITS[source.name][0]), source)
    last = call.number(_EXACT_FLOATS, source)
    text = f"{least.inside(COMPARISON + 1)} <= {x.inside(COMPARISON + 1)} <= {last.text}"
    product = joined(call.number(1), "*", called("float", x), PRODUCT)
    return chosen(Expression(text, COMPARISON), product, call.by_kernel(x))


def whole(call: NumberOp, fails: bool) -> Expression:
    """Return a float truncated to an integer; the kernel computes values outside of the dtype."""
    low, high = LIMITS[call.dtype.name]
    source, x = call.node.inputs[0].dtype, call.repeated(0)
    least, above = call.number(float(low), source), call.number(float(high + 1), source)
    text = f"{least.inside(COMPARISON + 1)} <= {x.inside(COMPARISON + 1)} < {above.text}"
    return chosen(Expression(text, COMPARISON), called("int", x), call.by_kernel(x, fails=fails))
