"""`int`, `float`, `complex`, `round`, `divmod` and `pow` of tensors.

Where Python returns a number, the result is a weak tensor, which adopts other dtypes as a number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import runtime as rt
from autograph.backends.graph.values.iterables import as_weak
from autograph.backends.graph.values.truth import truth
from runtime.core.lazy_imports import lazy_import
from runtime.errors import ShapeError
from runtime.ops.python.numbers import power_modulo, python_int, python_round
from runtime.ops.text.strings import python_number

not_one_element = lazy_import("runtime.ops.attribute_advice:not_one_element")


def as_int(value: object = 0, *base: object, **options: object) -> object:
    """Return `int(value)`: int32, or int64 for wider dtypes; an error if it does not fit.

    Raises:
        TypeError: there is a base, which only texts have in Python.
    """
    if base or options:
        raise TypeError("int() can't convert non-string with explicit base")
    tensor = scalar(value, "int")
    if tensor.dtype == rt.string:
        return as_weak(python_number(tensor, rt.int32))
    return as_weak(python_int(tensor))


def as_float(value: object = 0.0) -> object:
    """Return `float(value)`: a weak float64."""
    tensor = scalar(value, "float")
    if tensor.dtype == rt.string:
        return as_weak(python_number(tensor, rt.float64))
    return as_weak(rt.cast(tensor, rt.float64))


def as_complex(real: object = 0.0, imag: object = 0.0) -> object:
    """Return `complex(real, imag)`."""
    parts = [rt.cast(scalar(part, "complex"), rt.complex128) for part in (real, imag)]
    return as_weak(rt.add(parts[0], rt.multiply(parts[1], rt.constant(1j, rt.complex128))))


def as_bool(value: object = False) -> object:
    """Return `bool(value)`."""
    if isinstance(value, rt.Tensor) and value.dtype == rt.string and value.shape.rank == 0:
        return as_weak(rt.greater(rt.strings.length(value), 0))
    return as_weak(truth(value, "the argument of bool()"))


def rounded(number: object, ndigits: object = None) -> object:
    """Return `round(number, ndigits)`, ties to even."""
    tensor = scalar(number, "round")
    if tensor.dtype == rt.bool:
        tensor = rt.cast(tensor, rt.int32)
    if ndigits is None:
        return as_weak(python_int(rt.round(tensor)))
    return as_weak(python_round(tensor, ndigits))


def power(base: object, exp: object, mod: object = None) -> object:
    """Return `pow(base, exp, mod)`."""
    return base**exp if mod is None else power_modulo(base, exp, mod)  # type: ignore[operator]


def scalar(value: Any, what: str) -> rt.Tensor:
    """Return a tensor of one element as a scalar.

    Raises:
        ShapeError: if it has another shape; the message calls it `what`.
    """
    tensor = rt.convert_to_tensor(value)
    if tensor.shape.rank == 0:
        return tensor
    if tensor.shape.rank is not None and any(d not in (1, None) for d in tensor.shape.dims or ()):
        raise ShapeError(not_one_element(tensor, what))
    return rt.reshape(tensor, ())


def whole_number(index: Any) -> Any:
    """Return an index, with a bool or bool tensor as the number 0 or 1, as in Python.

    >>> whole_number(3), whole_number(True)
    (3, 1)
    """
    if isinstance(index, bool):
        return int(index)
    is_truth = isinstance(index, rt.Tensor) and index.dtype == rt.bool and index.shape.rank == 0
    return as_weak(rt.cast(index, rt.int32)) if is_truth else index


NUMBERS: Mapping[str, Callable[..., object]] = {
    "abs": abs,
    "bool": as_bool,
    "complex": as_complex,
    "divmod": divmod,
    "float": as_float,
    "int": as_int,
    "pow": power,
    "round": rounded,
}
