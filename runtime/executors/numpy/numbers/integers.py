"""Python expressions for integers.

Results that may leave the dtype are wrapped (`NumberOp.settled`). A number may stay unwrapped if
only ops such as addition and multiplication use it, which need only its low bits (`CONGRUENT`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from runtime.executors.numpy.numbers import intervals
from runtime.executors.numpy.numbers.expression import (
    BIT_AND,
    BIT_OR,
    BIT_XOR,
    COMPARISON,
    POWER,
    PRODUCT,
    SHIFT,
    SIGN,
    SUM,
    Expression,
    binary,
    called,
    chosen,
)
from runtime.executors.numpy.numbers.intervals import Interval
from runtime.executors.numpy.numbers.number_op import NumberOp

Form: TypeAlias = Callable[[NumberOp], "Expression | None"]

# Ops whose low bits depend only on the low bits of their operands: of all operands (None), or of
# the listed ones.
CONGRUENT: Mapping[str, tuple[int, ...] | None] = {
    "add": None,
    "add_n": None,
    "subtract": None,
    "multiply": None,
    "negative": None,
    "square": None,
    "identity": None,
    "stop_gradient": None,
    "bitwise_and": None,
    "bitwise_or": None,
    "bitwise_xor": None,
    "select": (1, 2),
    "left_shift": (0,),
}


def infix(symbol: str, level: int) -> Form:
    """Return the form `x symbol y`."""

    def form(call: NumberOp) -> Expression:
        return binary(call[0], symbol, call[1], level)

    return form


def _settled(form: Form) -> Form:
    def settled(call: NumberOp) -> Expression | None:
        expression = form(call)
        return None if expression is None else call.settled(expression)

    return settled


def same(call: NumberOp) -> Expression:
    """Return the operand."""
    return call[0]


def total(call: NumberOp) -> Expression:
    """Return the sum of all operands."""
    text = call[0]
    for position in range(1, len(call.operands)):
        text = binary(text, "+", call[position], SUM)
    return text


def negative(call: NumberOp) -> Expression:
    """Return `-x`."""
    return Expression(f"-{call[0].inside(SIGN)}", SIGN, fails=call[0].fails)


def absolute(call: NumberOp) -> Expression:
    """Return `abs(x)`."""
    return called("abs", call[0])


def squared(call: NumberOp) -> Expression:
    """Return `x * x`."""
    x = call.repeated(0)
    return binary(x, "*", x, PRODUCT)


def squared_difference(call: NumberOp) -> Expression:
    """Return the expression of the square of a difference."""
    difference = binary(call.repeated(0), "-", call.repeated(1), SUM)
    return binary(difference, "*", difference, PRODUCT)


def _divided(symbol: str) -> Form:
    """Return the form of a division; the kernel raises the error for a divisor of 0."""

    def form(call: NumberOp) -> Expression:
        if 0 not in call.known.operands[1]:
            return binary(call[0], symbol, call[1], PRODUCT)
        x, y = call.repeated(0), call.repeated(1)
        quotient = binary(x, symbol, y, PRODUCT)
        return chosen(y, quotient, call.by_kernel(x, y, fails=True))

    return form


def _truncated(call: NumberOp, symbol: str) -> Expression | None:
    """Return a division rounded towards 0, if it is the same as the one that rounds down."""
    if min(end.low for end in call.known.operands) >= 0 and 0 not in call.known.operands[1]:
        return binary(call[0], symbol, call[1], PRODUCT)
    return call.by_kernel(call[0], call[1], fails=True)


def _power(call: NumberOp) -> Expression:
    exponent = call.constant(1)
    if exponent is not None and 0 < exponent <= 4 and _fits(call):
        x = call[0]
        text = f"{x.inside(POWER + 1)} ** {exponent}"
        return call.settled(Expression(text, POWER, fails=x.fails))
    if call.is_exact:
        return call.refused_or_kept()
    return call.by_kernel(*call.operands, fails=call.known.operands[1].low < 0)


def _fits(call: NumberOp) -> bool:
    return not call.is_exact or call.known.result.is_within((call.dtype.min, call.dtype.max))


def larger(symbol: str) -> Form:
    """Return the form of the larger, or smaller, of two integers."""

    def form(call: NumberOp) -> Expression:
        x, y = call.repeated(0), call.repeated(1)
        return chosen(binary(x, symbol, y, COMPARISON), x, y)

    return form


def _clipped(call: NumberOp) -> Expression:
    """Return `max(min(x, high), low)`."""
    x, low, high = (call[position] for position in range(3))
    return called("max", called("min", x, high), low)


def _sign(call: NumberOp) -> Expression:
    x, zero = call.repeated(0), call.number(0)
    above, below = (binary(x, symbol, zero, COMPARISON) for symbol in "><")
    return chosen(above, call.number(1), chosen(below, Expression("-1", SIGN), zero))


def _inverted(call: NumberOp) -> Expression:
    if call.dtype.kind == "u":
        return binary(call.number(call.dtype.max), "-", call[0], SUM)
    return Expression(f"~{call[0].inside(SIGN)}", SIGN, fails=call[0].fails)


def _shifted(symbol: str) -> Form:
    """Return the form of a shift, with the count clipped to 0 up to the number of bits less one."""

    def form(call: NumberOp) -> Expression:
        bits, count = 8 * call.dtype.size, call.known.operands[1]
        if count.is_within((0, bits - 1)):
            return binary(call[0], symbol, call[1], SHIFT)
        places = called("min", called("max", call[1], Expression("0")), Expression(str(bits - 1)))
        return binary(call[0], symbol, places, SHIFT)

    return form


def _left_shifted(call: NumberOp) -> Expression | None:
    if not call.is_exact:
        return _settled(_shifted("<<"))(call)
    is_plain = call.known.operands[1].is_within((0, 8 * call.dtype.size - 1))
    if not is_plain or not _fits(call):
        return call.refused_or_kept()
    return binary(call[0], "<<", call[1], SHIFT)


def _relu(call: NumberOp) -> Expression:
    x, zero = call.repeated(0), Expression("0")
    return chosen(binary(x, ">", zero, COMPARISON), x, zero)


def relu_grad(call: NumberOp) -> Expression:
    """Return the expression of 1 for a positive number, otherwise 0."""
    return chosen(binary(call[0], ">", call.number(0), COMPARISON), call.number(1), call.number(0))


def _relu6(call: NumberOp) -> Expression:
    return called("min", called("max", call[0], Expression("0")), Expression("6"))


def _operand(call: NumberOp) -> Expression:
    """Return a divisor or a shift count, with an error where Python raises one."""
    y, symbol = call.repeated(0), str(call.node.attrs["symbol"])
    low, high = call.known.operands[0].ends
    if symbol in ("<<", ">>"):
        if low >= 0:
            return y
        return chosen(
            binary(y, ">=", Expression("0"), COMPARISON), y, call.by_kernel(y, fails=True)
        )
    if low > 0 or high < 0:
        return y
    return chosen(y, y, call.by_kernel(y, fails=True))


COMPARISONS: Mapping[str, Form] = {
    "equal": infix("==", COMPARISON),
    "not_equal": infix("!=", COMPARISON),
    "less": infix("<", COMPARISON),
    "less_equal": infix("<=", COMPARISON),
    "greater": infix(">", COMPARISON),
    "greater_equal": infix(">=", COMPARISON),
}

INTEGER: Mapping[str, Form] = {
    **COMPARISONS,
    "add": _settled(infix("+", SUM)),
    "add_n": _settled(total),
    "subtract": _settled(infix("-", SUM)),
    "multiply": _settled(infix("*", PRODUCT)),
    "negative": _settled(negative),
    "abs": _settled(absolute),
    "square": _settled(squared),
    "squared_difference": _settled(squared_difference),
    "floordiv": _settled(_divided("//")),
    "floormod": _divided("%"),
    "truncatediv": lambda call: _truncated(call, "//"),
    "truncatemod": lambda call: _truncated(call, "%"),
    "pow": _power,
    "maximum": larger(">="),
    "minimum": larger("<="),
    "clip_by_value": _clipped,
    "sign": _sign,
    "bitwise_and": _settled(infix("&", BIT_AND)),
    "bitwise_or": _settled(infix("|", BIT_OR)),
    "bitwise_xor": _settled(infix("^", BIT_XOR)),
    "invert": _inverted,
    "left_shift": _left_shifted,
    "right_shift": _shifted(">>"),
    "relu": _relu,
    "relu6": _relu6,
    "relu_grad": relu_grad,
    "identity": _settled(same),
    "stop_gradient": _settled(same),
    "python_operand": _operand,
    "zeros_like": lambda call: call.number(0),
    "ones_like": lambda call: call.number(1),
}


def _clip_range(x: Interval, low: Interval, high: Interval) -> Interval:
    least = Interval(min(x.low, high.low), min(x.high, high.high))
    return Interval(max(least.low, low.low), max(least.high, low.high))


def _sum_range(first: Interval, *others: Interval) -> Interval:
    for other in others:
        first = first + other
    return first


# The interval of an op's result before wrapping, from the intervals of its operands; shifts and ops
# with attributes are in `range_analysis`.
RANGES: Mapping[str, Callable[..., Interval]] = {
    "add": operator.add,
    "add_n": _sum_range,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "negative": operator.neg,
    "abs": operator.abs,
    "square": lambda x: abs(x) * abs(x),
    "squared_difference": lambda x, y: abs(x - y) * abs(x - y),
    "floordiv": intervals.floor_divided,
    "floormod": intervals.floor_remainder,
    "truncatediv": intervals.truncate_divided,
    "truncatemod": intervals.truncate_remainder,
    "pow": intervals.power,
    "maximum": lambda x, y: Interval(max(x.low, y.low), max(x.high, y.high)),
    "minimum": lambda x, y: Interval(min(x.low, y.low), min(x.high, y.high)),
    "clip_by_value": _clip_range,
    "sign": lambda x: Interval(max(min(x.low, 1), -1), max(min(x.high, 1), -1)),
    "bitwise_and": intervals.both_bits,
    "bitwise_or": intervals.any_bits,
    "bitwise_xor": intervals.any_bits,
    "relu": lambda x: Interval(max(x.low, 0), max(x.high, 0)),
    "relu_grad": lambda x: Interval(int(x.low > 0), int(x.high > 0)),
    "relu6": lambda x: Interval(*(min(max(end, 0), 6) for end in x.ends)),
    "identity": lambda x: x,
    "stop_gradient": lambda x: x,
    "python_operand": lambda x: x,
    "select": lambda test, x, y: x.join(y),
}


def wraps(name: str) -> bool:
    """Return whether Python's result of an op may leave its dtype.

    >>> wraps("add"), wraps("maximum")
    (True, False)
    """
    return name in _WRAPPING


_WRAPPING = frozenset(CONGRUENT) | frozenset(
    "abs squared_difference floordiv pow cast exact_cast".split()
)


def needs_order(name: str, position: int) -> bool:
    """Return whether an op needs more of an operand than its low bits.

    >>> needs_order("less", 0), needs_order("add", 0), needs_order("select", 1)
    (True, False, False)
    """
    if name not in CONGRUENT:
        return True
    positions: Sequence[int] | None = CONGRUENT[name]
    return positions is not None and position not in positions
