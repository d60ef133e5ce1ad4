"""Python's `math` module on tensors that represent Python numbers, with the same results.

The functions of `rt.math` take tensors of any shape and follow IEEE, so that the root of -1 is NaN.
These raise as Python does, and compute in float64, like Python's floats.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import numpy as np

from runtime.core.dtypes import DType, bool_, float64, int32, int64
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor
from runtime.errors import DTypeError, ShapeError, UnimplementedError, refusing
from runtime.ops.convert import strong_cast, to_tensor
from runtime.ops.elementwise.comparison import greater_equal
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import abs as magnitude
from runtime.ops.elementwise.unary import cos, cosh, exp, log, sign, sin, sinh, sqrt
from runtime.ops.op import apply, define

_TO_BOOL = frozenset("isclose isfinite isinf isnan".split())
_OF_INTS = frozenset("comb factorial gcd isqrt lcm perm".split())
_TO_INT = _OF_INTS | {"ceil", "floor", "frexp_exponent", "trunc"}
# The functions of vectors; the others take numbers.
_OF_VECTORS = frozenset(("dist", "fsum"))


def _is_close(a: float, b: float, relative: float = 1e-9, absolute: float = 0.0) -> bool:
    return math.isclose(a, b, rel_tol=relative, abs_tol=absolute)


def _next_after(x: float, y: float, *steps: int) -> float:
    return math.nextafter(x, y, steps=steps[0]) if steps else math.nextafter(x, y)  # type: ignore[call-arg]


_OF_OTHER_FORM: Mapping[str, Callable[..., object]] = {
    "frexp": lambda x: math.frexp(x)[0],
    "frexp_exponent": lambda x: math.frexp(x)[1],
    "isclose": _is_close,
    "nextafter": _next_after,
}
_FUNCTIONS: Mapping[str, Callable[..., object]] = {
    **{name: each for name, each in vars(math).items() if name[0] != "_" and callable(each)},
    **_OF_OTHER_FORM,
}


def _kernel(*arrays: Array, function: Annotated[str, _FUNCTIONS], dtype: DType) -> Array:
    numbers = [array.tolist() for array in arrays]
    result: Any = _FUNCTIONS[function](*numbers)
    if function in _TO_INT and not (limits := np.iinfo(dtype.np_dtype)).min <= result <= limits.max:
        advice = ": write rt.cast(n, rt.int64) for its argument" if dtype is int32 else ""
        misfit = f"math.{function} gives {result}, which does not fit {dtype.name}"
        raise refusing(OverflowError(misfit + advice))
    return np.asarray(result, dtype.np_dtype)


def _infer(*inputs: TensorSpec, function: Annotated[str, _FUNCTIONS], dtype: DType) -> TensorSpec:
    rank = int(function in _OF_VECTORS)
    for each in inputs:
        if each.dtype.kind not in "biuf":
            raise DTypeError(f"must be real number, not {each.dtype.name}")
        if each.shape.rank not in (None, rank):
            what = "a vector" if rank else "one number"
            raise ShapeError(f"takes {what}, not shape {each.shape}")
        if function in _OF_INTS and each.dtype.is_floating:
            # Python's own message for a float.
            raise DTypeError("'float' object cannot be interpreted as an integer")
    return TensorSpec((), dtype)


def _power_gradients(y: Any, base: Any, exponent: Any) -> Sequence[Any]:
    # A negative base has no logarithm; its exponent is an integer, without a gradient.
    steep = where(greater_equal(base, 0.0), log(magnitude(base)), 0.0)
    return exponent * python_math("pow", base, exponent - 1.0), y * steep


def _log_gradients(y: Any, x: Any, base: Any = None) -> Sequence[Any]:
    if base is None:
        return (1.0 / x,)
    return 1.0 / (x * log(base)), -y / (base * log(base))


def _hypot_gradients(y: Any, *xs: Any) -> Sequence[Any]:
    return [x / y for x in xs]


def _atan2_gradients(_: Any, y: Any, x: Any) -> Sequence[Any]:
    square = x * x + y * y
    return x / square, -y / square


_BELL = 2.0 / math.sqrt(math.pi)
# The derivatives by each argument, computed from the result and the arguments in float64.
_SLOPES: Mapping[str, Callable[..., Sequence[Any]]] = {
    "acos": lambda y, x: (-1.0 / sqrt(1.0 - x * x),),
    "acosh": lambda y, x: (1.0 / sqrt(x * x - 1.0),),
    "asin": lambda y, x: (1.0 / sqrt(1.0 - x * x),),
    "asinh": lambda y, x: (1.0 / sqrt(x * x + 1.0),),
    "atan": lambda y, x: (1.0 / (1.0 + x * x),),
    "atan2": _atan2_gradients,
    "atanh": lambda y, x: (1.0 / (1.0 - x * x),),
    "cbrt": lambda y, x: (1.0 / (3.0 * y * y),),
    "copysign": lambda y, x, s: (sign(x) * sign(y), 0.0 * s),
    "cos": lambda y, x: (-sin(x),),
    "cosh": lambda y, x: (sinh(x),),
    "degrees": lambda y, x: (math.degrees(1.0) + 0.0 * x,),
    "erf": lambda y, x: (_BELL * exp(-x * x),),
    "erfc": lambda y, x: (-_BELL * exp(-x * x),),
    "exp": lambda y, x: (y,),
    "exp2": lambda y, x: (y * math.log(2.0),),
    "expm1": lambda y, x: (y + 1.0,),
    "fabs": lambda y, x: (sign(x),),
    "fmod": lambda y, x, m: (1.0 + 0.0 * x, (y - x) / m),
    "hypot": _hypot_gradients,
    "log": _log_gradients,
    "log10": lambda y, x: (1.0 / (x * math.log(10.0)),),
    "log1p": lambda y, x: (1.0 / (1.0 + x),),
    "log2": lambda y, x: (1.0 / (x * math.log(2.0)),),
    "pow": _power_gradients,
    "radians": lambda y, x: (math.radians(1.0) + 0.0 * x,),
    "sin": lambda y, x: (cos(x),),
    "sinh": lambda y, x: (cosh(x),),
    "sqrt": lambda y, x: (0.5 / y,),
    "tan": lambda y, x: (1.0 + y * y,),
    "tanh": lambda y, x: (1.0 - y * y,),
}


def _gradient(dys: Any, outputs: Any, inputs: Any, *, function: str, dtype: DType) -> Any:
    if dtype is not float64:
        return [None] * len(inputs)  # Ints and bools have no gradient.
    if function not in _SLOPES:
        raise UnimplementedError(
            f"math.{function} has no gradient: write the function of the same name in rt.math"
        )
    exact = [strong_cast(each, float64) for each in inputs]
    gradients = _SLOPES[function](outputs[0], *exact)
    return [
        strong_cast(dys[0] * gradient, each.dtype) if each.dtype.is_floating else None
        for gradient, each in zip(gradients, inputs)
    ]


PYTHON_MATH = define(
    "python_math",
    _kernel,
    _infer,
    grad=_gradient,
    raises=(ValueError, TypeError, ArithmeticError),
)


def python_math(function: str, *values: Any) -> Tensor:
    """Return the result of `math.<function>` for numbers.

    Floats are float64; ints are int64 if an argument has more than 32 bits, else int32.

    Args:
        function: the name of a function of Python's module `math`, or `frexp_exponent`: `frexp`
            returns only the first of its two results.
        values: its arguments: scalars of bools, ints or floats; vectors for `dist` and `fsum`; for
            `isclose` optionally also the relative and the absolute tolerance.

    Raises:
        ValueError: if the function is not defined there, as in Python.
        OverflowError: if the result is too large, as in Python, or exceeds its dtype.

    >>> print(python_math("sqrt", 2), python_math("isqrt", 17))
    rt.Tensor(1.4142135623730951, shape=(), dtype=float64) rt.Tensor(4, shape=(), dtype=int32)
    >>> python_math("log", 0.0)
    Traceback (most recent call last):
    ValueError: math domain error
    """
    tensors = [to_tensor(value) for value in values]
    dtype = float64
    if function in _TO_BOOL:
        dtype = bool_
    elif function in _TO_INT:
        wide = any(each.dtype.size > 4 or each.dtype.name == "uint32" for each in tensors)
        dtype = int64 if wide else int32
    _infer(*(each.spec for each in tensors), function=function, dtype=dtype)
    result: Tensor = apply(PYTHON_MATH, tensors, function=function, dtype=dtype)
    return result
