"""The functions of Python's `math` module on tensors, with Python's results."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import runtime as rt
from autograph.backends.graph.functions.reductions import tensor_or_list
from autograph.backends.graph.values.iterables import as_weak
from autograph.backends.graph.values.number_builtins import scalar
from autograph.backends.graph.values.sort_keys import vector
from autograph.operators.math_names import OF_NUMBERS
from runtime.errors import DTypeError, ShapeError
from runtime.ops.convert import is_weak, stands_for_number
from runtime.ops.python.arithmetic import python_fold
from runtime.ops.python.math_module import python_math


def _of_numbers(name: str, *values: object) -> object:
    return as_weak(python_math(name, *(_number(name, value) for value in values)))


def _number(name: str, value: Any) -> rt.Tensor:
    tensor = rt.convert_to_tensor(value)
    shape = tensor.shape
    if tensor.dtype.kind not in "biuf":
        raise DTypeError(f"math.{name}: must be real number, not {tensor.dtype.name}")
    if shape.rank and any(size not in (1, None) for size in shape.dims or ()):
        like = f"rt.{name}" if hasattr(rt, name) else f"[math.{name}(each) for each in x]"
        raise ShapeError(f"math.{name} takes one number, not shape {shape}: write {like}")
    return scalar(value, "a number")


def _is_close(a: object, b: object, *, rel_tol: object = 1e-9, abs_tol: object = 0.0) -> object:
    return _of_numbers("isclose", a, b, rel_tol, abs_tol)


def _parts(value: Any) -> tuple[object, object]:
    """Return `math.modf(value)`: both parts have the sign of the number."""
    fraction: Any = _of_numbers("fmod", value, 1.0)
    whole = rt.subtract(value, fraction)
    return fraction, _of_numbers("copysign", whole, value)


def _mantissa_and_exponent(value: object) -> tuple[object, object]:
    """Return `math.frexp(value)`."""
    return _of_numbers("frexp", value), _of_numbers("frexp_exponent", value)


def _next_after(x: object, y: object, /, **steps: object) -> object:
    return _of_numbers("nextafter", x, y, *(each for each in steps.values() if each is not None))


def _distance(p: Any, q: Any, /) -> object:
    return as_weak(python_math("dist", *map(_point, (p, q))))


def _point(values: Any) -> rt.Tensor:
    items = tensor_or_list(values)
    if not isinstance(items, list):
        return vector(items, "math.dist()")
    exact = [rt.cast(_number("dist", item), rt.float64) for item in items]
    return rt.stack(exact) if exact else rt.constant([], rt.float64)


def _exact_sum(values: Any) -> object:
    items = tensor_or_list(values)
    if isinstance(items, list):
        if not items:
            return math.fsum(items)
        items = rt.stack([rt.cast(item, rt.float64) for item in items])
    return as_weak(python_math("fsum", vector(items, "math.fsum()")))


def _product(values: Any, /, *, start: Any = 1) -> object:
    items = tensor_or_list(values)
    if isinstance(items, list):
        return math.prod(items, start=start)
    if is_weak(items):
        if stands_for_number(start):
            return as_weak(python_fold("math.prod", items, start))
        return rt.multiply(start, as_weak(python_fold("math.prod", items, 1)))
    multiplied = rt.reduce_prod(items, axis=0)
    return multiplied if type(start) is int and start == 1 else rt.multiply(start, multiplied)


MATH_BUILTINS: Mapping[str, Callable[..., object]] = {
    **{name: partial(_of_numbers, name.removeprefix("math.")) for name in OF_NUMBERS.values()},
    "math.dist": _distance,
    "math.frexp": _mantissa_and_exponent,
    "math.fsum": _exact_sum,
    "math.isclose": _is_close,
    "math.modf": _parts,
    "math.nextafter": _next_after,
    "math.prod": _product,
}
