"""Functions of the module `math` on Python numbers that are known only at run time."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from runtime.core.dtypes import float32, float64
from runtime.export.onnx.node_lowering import OnnxNodeLowering, Rule
from runtime.export.onnx.values import ModelTensor

_DOMAIN = "a number outside of its domain gives NaN or infinity: Python raises here"

# The operators that compute a function, in float64 if there is a kernel for it.
_WIDE = {
    "ceil": "Ceil",
    "cos": "Cos",
    "exp": "Exp",
    "fabs": "Abs",
    "floor": "Floor",
    "isinf": "IsInf",
    "isnan": "IsNaN",
    "log": "Log",
    "sin": "Sin",
    "sqrt": "Sqrt",
    "tanh": "Tanh",
}
_NARROW = {
    "acos": "Acos",
    "acosh": "Acosh",
    "asin": "Asin",
    "asinh": "Asinh",
    "atan": "Atan",
    "atanh": "Atanh",
    "cosh": "Cosh",
    "erf": "Erf",
    "sinh": "Sinh",
    "tan": "Tan",
}
_NEVER_RAISE = frozenset("asinh atan degrees erf fabs isfinite isinf isnan radians tanh".split())


def _log(step: OnnxNodeLowering, x: ModelTensor, *base: ModelTensor) -> ModelTensor:
    found = step.op("Log", x)
    return step.op("Div", found, step.op("Log", base[0])) if base else found


def _log_of(base: float) -> Callable[..., ModelTensor]:
    def rule(step: OnnxNodeLowering, x: ModelTensor) -> ModelTensor:
        return step.op("Div", step.op("Log", x), step.like(math.log(base), x))

    return rule


def _times(factor: float) -> Callable[..., ModelTensor]:
    def rule(step: OnnxNodeLowering, x: ModelTensor) -> ModelTensor:
        return step.op("Mul", x, step.like(factor, x))

    return rule


def _pow(step: OnnxNodeLowering, x: ModelTensor, y: ModelTensor) -> ModelTensor:
    return step.op("Pow", x, y)


def _fmod(step: OnnxNodeLowering, x: ModelTensor, y: ModelTensor) -> ModelTensor:
    return step.op("Mod", x, y, fmod=1)


def _hypot(step: OnnxNodeLowering, *xs: ModelTensor) -> ModelTensor:
    total, *others = [step.op("Mul", x, x) for x in xs]
    for each in others:
        total = step.op("Add", total, each)
    return step.op("Sqrt", total)


def _dist(step: OnnxNodeLowering, x: ModelTensor, y: ModelTensor) -> ModelTensor:
    apart = step.op("Sub", x, y)
    return step.op("Sqrt", step.op("ReduceSum", step.op("Mul", apart, apart), keepdims=0))


def _trunc(step: OnnxNodeLowering, x: ModelTensor) -> ModelTensor:
    negative = step.op("Less", x, step.like(0, x))
    return step.where(negative, step.op("Ceil", x), step.op("Floor", x))


def _is_finite(step: OnnxNodeLowering, x: ModelTensor) -> ModelTensor:
    return step.op("Not", step.op("Or", step.op("IsInf", x), step.op("IsNaN", x)))


_OTHERS: dict[str, Callable[..., ModelTensor]] = {
    "degrees": _times(math.degrees(1.0)),
    "dist": _dist,
    "fmod": _fmod,
    "hypot": _hypot,
    "isfinite": _is_finite,
    "log": _log,
    "log10": _log_of(10.0),
    "log2": _log_of(2.0),
    "pow": _pow,
    "radians": _times(math.radians(1.0)),
    "trunc": _trunc,
}


def _python_math(step: OnnxNodeLowering) -> Any:
    name = step.attrs["function"]
    if name not in _NEVER_RAISE:
        step.omit(f"math.{name}", _DOMAIN)
    if name in _OTHERS:
        found = _OTHERS[name](step, *(step.cast(each, float64) for each in step.inputs))
    elif name in _WIDE:
        found = step.op(_WIDE[name], step.cast(step.inputs[0], float64))
    elif name in _NARROW and step.dtype is float32:
        found = step.op(_NARROW[name], step.cast(step.inputs[0], float32))
    else:
        raise step.unsupported(f"ONNX does not compute math.{name} in {step.dtype.name}")
    return step.cast(found, step.dtype)


RULES: dict[str, Rule] = {"python_math": _python_math}
