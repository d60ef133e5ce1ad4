"""Elementwise arithmetic and comparisons that are several ONNX nodes, and constants."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import bool_, dtype_of_array, float64, int64, is_variant_array
from runtime.export.onnx.data_types import dtype_named
from runtime.export.onnx.node_lowering import OnnxNodeLowering, Rule
from runtime.export.onnx.rules.control_flow import chosen
from runtime.export.onnx.values import ModelTensor

_BY_ZERO = "ONNX does not define integers divided by 0: onnxruntime fails, others may not"


def _constant(step: OnnxNodeLowering) -> Any:
    array = step.attrs["value"].array
    if is_variant_array(array):
        raise step.unsupported("a file cannot hold a list that was made before the function runs")
    return step.builder.constant(texts(array), f"{step.node.name}")


def texts(array: Any) -> Any:
    """Return an array with text in place of bytes, which ONNX takes as strings.

    >>> texts(np.array([b"a"], object)).tolist()
    ['a']
    """
    if dtype_of_array(array).kind != "O":
        return array
    flat = [x.decode("utf-8", "surrogateescape") if isinstance(x, bytes) else x for x in array.flat]
    return np.array(flat, object).reshape(array.shape)


def _same(step: OnnxNodeLowering) -> Any:
    return step.inputs[0]


def _cast(step: OnnxNodeLowering) -> Any:
    return step.cast(step.inputs[0], step.attrs["dtype"])


def _add(step: OnnxNodeLowering) -> Any:
    return step.op("StringConcat" if step.dtype.is_string else "Add", *step.inputs)


def _add_n(step: OnnxNodeLowering) -> Any:
    total, *others = step.inputs
    for each in others:
        total = step.op("Add", total, each)
    return total


def _equal(step: OnnxNodeLowering) -> Any:
    if step.attrs.get("otherwise") is None or _shapes_fit(step):
        return step.op("Equal", *step.inputs)
    ranks = step.rank(), step.rank(1)
    sizes = [step.shape(x, rank - min(ranks)) for x, rank in zip(step.inputs, ranks, strict=True)]
    fits = step.op("Equal", *sizes)
    for each in sizes:
        fits = step.op("Or", fits, step.op("Equal", each, step.ints(1)))
    all_fit = step.op("ReduceMin", fits, keepdims=0)
    # Shapes that do not fit are compared as wholes, as Python compares any two objects.
    compared, different = step.inputs, step.const(False, bool_)
    return chosen(step, all_fit, lambda: [step.op("Equal", *compared)], lambda: [different])[0]


def _not_equal(step: OnnxNodeLowering) -> Any:
    return step.op("Not", _equal(step))


def _shapes_fit(step: OnnxNodeLowering) -> bool:
    shapes = [each.shape for each in step.node.inputs]
    return 0 in [each.rank for each in shapes] or all(map(is_static, shapes))


def is_static(shape: Any) -> bool:
    """Return whether all dimensions of a shape are known.

    >>> from runtime.core.shapes import TensorShape
    >>> is_static(TensorShape((2, None)))
    False
    """
    return bool(shape.is_fully_defined())


def extreme(operator: str) -> Rule:
    """Return the rule of the larger or smaller of two elements."""

    def rule(step: OnnxNodeLowering) -> Any:
        return step.op(operator, *step.inputs)

    return rule


def _clip(step: OnnxNodeLowering) -> Any:
    x, low, high = step.inputs
    return step.op("Max", step.op("Min", x, high), low)


# -- quotients -------------------------------------------------------------------------------------


def _divides(step: OnnxNodeLowering) -> bool:
    """Return whether a divisor is known not to be 0; note the missing check if it is not."""
    if _is_not_zero(step, -1):
        return True
    step.omit("integer division by zero", _BY_ZERO)
    return False


def _is_not_zero(step: OnnxNodeLowering, position: int) -> bool:
    known = step.builder.known(step.inputs[position])
    if known is not None and np.all(known != 0):
        return True
    return step.graph.bounds.is_not_zero(step.node.inputs[position], step.node)


def _quotient(step: OnnxNodeLowering, x: ModelTensor, y: ModelTensor) -> ModelTensor:
    """Return the quotient of integers towards zero; the least one over -1 must not end the run."""
    known = step.builder.known(y)
    if known is not None and np.all(known != -1) or x.dtype is int64:
        return step.op("Div", x, y)
    wide = step.op("Div", step.cast(x, int64), step.cast(y, int64))
    return step.cast(wide, x.dtype)


def _floordiv(step: OnnxNodeLowering) -> Any:
    x, y = step.inputs
    if step.dtype.is_floating:
        return _floor_of_floats(step, x, y)
    _divides(step)
    quotient = _quotient(step, x, y)
    if not step.dtype.np_dtype.kind == "i":
        return quotient
    rest = step.op("Sub", x, step.op("Mul", quotient, y))
    below = step.cast(_has_other_sign(step, rest, y), step.dtype)
    return step.op("Sub", quotient, below)


def _has_other_sign(step: OnnxNodeLowering, rest: ModelTensor, y: ModelTensor) -> ModelTensor:
    zero = step.like(0, y)
    known = step.builder.known(y)
    if known is not None and np.all(known > 0):
        return step.op("Less", rest, zero)
    differs = step.op("Xor", step.op("Less", rest, zero), step.op("Less", y, zero))
    return step.op("And", differs, step.op("Not", step.op("Equal", rest, zero)))


def _floor_of_floats(step: OnnxNodeLowering, x: ModelTensor, y: ModelTensor) -> ModelTensor:
    """Divide as Python does: divide `x` less the remainder of C."""
    rest = step.op("Mod", x, y, fmod=1)
    quotient = step.op("Round", step.op("Div", step.op("Sub", x, rest), y))
    below = step.op("Sub", quotient, step.like(1, quotient))
    quotient = step.where(_has_other_sign(step, rest, y), below, quotient)
    by_zero = step.op("Equal", y, step.like(0, y))
    return step.where(by_zero, step.op("Div", x, y), quotient)


def _remainder(step: OnnxNodeLowering, x: ModelTensor, y: ModelTensor) -> ModelTensor:
    """Return the remainder of floats with the sign of the divisor."""
    rest = step.op("Mod", x, y, fmod=1)
    return step.where(_has_other_sign(step, rest, y), step.op("Add", rest, y), rest)


def _floormod(step: OnnxNodeLowering) -> Any:
    x, y = step.inputs
    if step.dtype.is_floating:
        return _remainder(step, x, y)
    _divides(step)
    return step.op("Mod", x, y)


def _truncatediv(step: OnnxNodeLowering) -> Any:
    if not step.dtype.is_floating:
        _divides(step)
        return _quotient(step, *step.inputs)
    return _whole(step, step.op("Div", *step.inputs))


def _whole(step: OnnxNodeLowering, x: ModelTensor) -> ModelTensor:
    """Return floats without their fractions."""
    negative = step.op("Less", x, step.like(0, x))
    return step.where(negative, step.op("Ceil", x), step.op("Floor", x))


def _truncatemod(step: OnnxNodeLowering) -> Any:
    if not step.dtype.is_floating:
        _divides(step)
    return step.op("Mod", *step.inputs, fmod=1)


def _python_divide(step: OnnxNodeLowering) -> Any:
    _no_zero(step, 1)
    return step.op("Div", *step.inputs)


def _python_operand(step: OnnxNodeLowering) -> Any:
    if step.attrs["symbol"] in ("<<", ">>"):
        step.omit("shift", "a negative count shifts no bits: Python raises ValueError here")
    else:
        _no_zero(step, 0)
    return step.inputs[0]


def _no_zero(step: OnnxNodeLowering, position: int) -> None:
    if not _is_not_zero(step, position):
        step.omit("division by zero", "it is infinite or NaN: Python raises here")


def _divide_no_nan(step: OnnxNodeLowering) -> Any:
    x, y = step.inputs
    by_zero = step.op("Equal", y, step.like(0, y))
    return step.where(by_zero, step.like(0, x), step.op("Div", x, y))


def _multiply_no_nan(step: OnnxNodeLowering) -> Any:
    x, y = step.inputs
    by_zero = step.op("Equal", y, step.like(0, y))
    return step.where(by_zero, step.like(0, x), step.op("Mul", x, y))


# -- powers, logarithms ----------------------------------------------------------------------------


def _pow(step: OnnxNodeLowering) -> Any:
    x, y = step.inputs
    if step.dtype.is_floating:
        return step.op("Pow", x, y)
    step.omit("negative power", "an integer to a negative power is 1: Python raises or has a float")
    known = step.builder.known(y)
    if known is not None and known.ndim == 0 and 0 <= int(known) <= 64:
        return _power(step, x, int(known))
    return _integer_power(step, x, y)


def _power(step: OnnxNodeLowering, x: ModelTensor, exponent: int) -> ModelTensor:
    """Return a power as products of squares, which wrap around as they do here."""
    if exponent < 2:
        return x if exponent else _ones(step, x)
    half = _power(step, x, exponent // 2)
    square = step.op("Mul", half, half)
    return step.op("Mul", square, x) if exponent % 2 else square


def _ones(step: OnnxNodeLowering, x: ModelTensor) -> ModelTensor:
    return step.op("Add", step.op("Mul", x, step.like(0, x)), step.like(1, x))


def _integer_power(step: OnnxNodeLowering, x: ModelTensor, y: ModelTensor) -> ModelTensor:
    """Return a power bit by bit: ONNX computes powers of integers as floats."""
    one, zero, two = (step.like(number, y) for number in (1, 0, 2))
    spread = step.op("Mul", step.cast(y, x.dtype), step.like(0, x))
    base = step.op("Add", x, spread)

    def body(
        iteration: ModelTensor, values: list[ModelTensor]
    ) -> tuple[ModelTensor, list[ModelTensor]]:
        made, power, left = values
        is_odd = step.op("Equal", step.op("Mod", left, two), one)
        made = step.where(is_odd, step.op("Mul", made, power), made)
        left = step.op("Div", left, two)
        again = step.op("Greater", step.op("ReduceMax", left, keepdims=0), zero)
        return again, [made, step.op("Mul", power, power), left]

    return step.repeated(None, [_ones(step, base), base, step.op("Max", y, zero)], body)[0]


def _square(step: OnnxNodeLowering) -> Any:
    return step.op("Mul", step.inputs[0], step.inputs[0])


def _squared_difference(step: OnnxNodeLowering) -> Any:
    apart = step.op("Sub", *step.inputs)
    return step.op("Mul", apart, apart)


def _rsqrt(step: OnnxNodeLowering) -> Any:
    return step.op("Reciprocal", step.op("Sqrt", step.inputs[0]))


def log1p(step: OnnxNodeLowering, x: ModelTensor) -> ModelTensor:
    """Return log(1 + x) without the error of the sum: x log(u) / (u - 1) for the rounded sum u."""
    one = step.like(1, x)
    u = step.op("Add", one, x)
    found = step.op("Mul", step.op("Log", u), step.op("Div", x, step.op("Sub", u, one)))
    found = step.where(step.op("IsInf", u), step.op("Log", u), found)
    return step.where(step.op("Equal", u, one), x, found)


def _log1p(step: OnnxNodeLowering) -> Any:
    return log1p(step, step.inputs[0])


def _expm1(step: OnnxNodeLowering) -> Any:
    """Return exp(x) - 1 without cancellation: (u - 1) x / log(u) for the rounded power u."""
    x = step.inputs[0]
    u, one = step.op("Exp", x), step.like(1, x)
    less = step.op("Sub", u, one)
    found = step.op("Mul", less, step.op("Div", x, step.op("Log", u)))
    is_far = step.op("Or", step.op("IsInf", u), step.op("Less", u, step.like(0.1, x)))
    return step.where(step.op("Equal", u, one), x, step.where(is_far, less, found))


def _xlogy(step: OnnxNodeLowering) -> Any:
    return _zero_times(step, step.op("Log", step.inputs[1]))


def _xlog1py(step: OnnxNodeLowering) -> Any:
    return _zero_times(step, log1p(step, step.inputs[1]))


def _xdivy(step: OnnxNodeLowering) -> Any:
    x, y = step.inputs
    return step.where(step.op("Equal", x, step.like(0, x)), step.like(0, x), step.op("Div", x, y))


def _zero_times(step: OnnxNodeLowering, other: ModelTensor) -> ModelTensor:
    x = step.inputs[0]
    is_zero = step.op("Equal", x, step.like(0, x))
    return step.where(is_zero, step.like(0, x), step.op("Mul", x, other))


def _softplus(step: OnnxNodeLowering) -> Any:
    return softplus(step, step.inputs[0])


def softplus(step: OnnxNodeLowering, x: ModelTensor) -> ModelTensor:
    """Return log(1 + exp(x)) as max(x, 0) + log1p(exp(-abs(x))), which does not overflow."""
    rest = log1p(step, step.op("Exp", step.op("Neg", step.op("Abs", x))))
    return step.op("Add", step.op("Max", x, step.like(0, x)), rest)


# -- functions without a kernel for float64 --------------------------------------------------------


def _tan(step: OnnxNodeLowering) -> Any:
    x = step.inputs[0]
    if x.dtype is float64:
        return step.op("Div", step.op("Sin", x), step.op("Cos", x))
    return step.op("Tan", x)


def _hyperbolic(operator: str, combine: str) -> Rule:
    def rule(step: OnnxNodeLowering) -> Any:
        x = step.inputs[0]
        if x.dtype is not float64:
            return step.op(operator, x)
        sides = step.op("Exp", x), step.op("Exp", step.op("Neg", x))
        return step.op("Mul", step.op(combine, *sides), step.like(0.5, x))

    return rule


def _atan2(step: OnnxNodeLowering) -> Any:
    """Return the angle of a point: that of y / x, turned by the quadrant."""
    y, x = step.inputs
    zero, pi = step.like(0, x), step.like(np.pi, x)
    angle = step.op("Atan", step.op("Div", y, x))
    turn = step.where(step.op("Less", y, zero), step.op("Neg", pi), pi)
    found = step.where(step.op("Less", x, zero), step.op("Add", angle, turn), angle)
    quarter = step.op("Mul", step.op("Sign", y), step.like(np.pi / 2, x))
    return step.where(step.op("Equal", x, zero), quarter, found)


def _is_finite(step: OnnxNodeLowering) -> Any:
    x = step.inputs[0]
    return step.op("Not", step.op("Or", step.op("IsInf", x), step.op("IsNaN", x)))


# -- bits ------------------------------------------------------------------------------------------


def _shifted(direction: str) -> Rule:
    def rule(step: OnnxNodeLowering) -> Any:
        x, y = step.inputs
        plain = dtype_named(f"uint{8 * step.dtype.size}")
        negative = step.op("Less", x, step.like(0, x)) if _turns(step, direction) else None
        held = step.where(negative, step.op("BitwiseNot", x), x) if negative else x
        count = step.cast(_count(step, y), plain)
        moved = step.op("BitShift", step.cast(held, plain), count, direction=direction)
        found = step.cast(moved, step.dtype)
        return step.where(negative, step.op("BitwiseNot", found), found) if negative else found

    return rule


def _count(step: OnnxNodeLowering, y: ModelTensor) -> ModelTensor:
    """Return a count of bits, clipped as the kernel of the op clips it."""
    last, known = 8 * step.dtype.size - 1, step.builder.known(y)
    if known is not None and np.all((0 <= known) & (known <= last)):
        return y
    return step.op("Min", step.op("Max", y, step.like(0, y)), step.like(last, y))


def _turns(step: OnnxNodeLowering, direction: str) -> bool:
    """Return whether ones come in from the left of negative numbers."""
    return direction == "RIGHT" and step.dtype.np_dtype.kind == "i"


# -- Python's numbers ------------------------------------------------------------------------------


def _fold(step: OnnxNodeLowering) -> Any:
    items, start = step.inputs
    is_sum = step.attrs["function"] == "sum"
    if step.dtype.is_integer:
        step.omit("integer overflow", "a sum that no longer fits wraps around: Python's does not")
    total = step.op("ReduceSum" if is_sum else "ReduceProd", items, keepdims=0)
    return step.op("Add" if is_sum else "Mul", total, start)


def _python_int(step: OnnxNodeLowering) -> Any:
    step.omit("int()", "NaN and numbers that do not fit give any integer: Python raises here")
    return step.cast(step.inputs[0], step.dtype)


def _python_round(step: OnnxNodeLowering) -> Any:
    x, digits = step.inputs
    known = step.builder.known(digits)
    if known is None or np.any(known != 0) and not (x.dtype.is_integer and np.all(known > 0)):
        raise step.unsupported("it rounds to a number of digits, as decimals")
    return step.op("Round", x) if x.dtype.is_floating else x


def _python_power(step: OnnxNodeLowering) -> Any:
    step.omit("**", "a power that is not a finite float gives NaN or infinity: Python raises here")
    return step.op("Pow", *step.inputs)


RULES: dict[str, Rule] = {
    "constant": _constant,
    "identity": _same,
    "stop_gradient": _same,
    "shard": _same,
    "cast": _cast,
    "exact_cast": _cast,
    "add": _add,
    "add_n": _add_n,
    "equal": _equal,
    "not_equal": _not_equal,
    "maximum": extreme("Max"),
    "minimum": extreme("Min"),
    "clip_by_value": _clip,
    "floordiv": _floordiv,
    "floormod": _floormod,
    "truncatediv": _truncatediv,
    "truncatemod": _truncatemod,
    "python_divide": _python_divide,
    "python_operand": _python_operand,
    "divide_no_nan": _divide_no_nan,
    "multiply_no_nan": _multiply_no_nan,
    "pow": _pow,
    "square": _square,
    "squared_difference": _squared_difference,
    "rsqrt": _rsqrt,
    "log1p": _log1p,
    "expm1": _expm1,
    "xlogy": _xlogy,
    "xlog1py": _xlog1py,
    "xdivy": _xdivy,
    "softplus": _softplus,
    "tan": _tan,
    "sinh": _hyperbolic("Sinh", "Sub"),
    "cosh": _hyperbolic("Cosh", "Add"),
    "atan2": _atan2,
    "is_finite": _is_finite,
    "left_shift": _shifted("LEFT"),
    "right_shift": _shifted("RIGHT"),
    "python_fold": _fold,
    "python_int": _python_int,
    "python_round": _python_round,
    "python_power": _python_power,
}
