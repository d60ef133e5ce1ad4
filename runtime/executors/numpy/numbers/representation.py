"""The Python objects that represent scalars: bool, int, float, and NumPy's float32.

bool             bool, or NumPy's bool for a comparison of two float32; both work as conditions
intN, uintN      int
float64          float
float32          numpy.float32: the fastest type that rounds to 24 bits exactly
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from runtime.core.dtypes import DType
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.executors.numpy.numbers.expression import ATOM, SIGN, Expression
from runtime.ops.effects.variables import HandleSpec

INTEGERS = tuple(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))
KEPT = frozenset(("bool", "float32", "float64", *INTEGERS))

# The range in which float32 constants are named without an exponent.
_SMALL, _LARGE = 1e-4, 1e6

# The least and the largest number of each integer dtype.
LIMITS: Mapping[str, tuple[int, int]] = MappingProxyType(
    {name: (int(np.iinfo(name).min), int(np.iinfo(name).max)) for name in INTEGERS}
)


def is_number(spec: TensorSpec) -> bool:
    """Return whether values of a spec are stored as numbers: scalars of some dtypes, not variables.

    >>> from runtime.core.dtypes import int32
    >>> is_number(TensorSpec((), int32)), is_number(TensorSpec((1,), int32))
    (True, False)
    """
    is_value = not isinstance(spec, HandleSpec)
    return is_value and spec.shape.rank == 0 and spec.dtype.name in KEPT


def number_of(array: Array) -> Any:
    """Return the number that represents a scalar array.

    >>> number_of(np.array(3, np.uint8))
    3
    """
    return array[()] if array.dtype.name == "float32" else array.item()


def array_of(number: Any, dtype: DType) -> Array:
    """Return the scalar array of a number.

    >>> array_of(3, DType("uint8", np.dtype("uint8")))
    array(3, dtype=uint8)
    """
    return np.array(number, dtype.np_dtype)


def unpacked(dtype: DType, text: str) -> str:
    """Return the text that converts a scalar array to a number.

    >>> unpacked(DType("uint8", np.dtype("uint8")), "x")
    'x.item()'
    """
    return f"{text}[()]" if dtype.name == "float32" else f"{text}.item()"


def unpacked_element(dtype: DType, text: str) -> str:
    """Return the text that converts an element, `array[indices]` with int indices, to a number.

    >>> unpacked_element(DType("uint8", np.dtype("uint8")), "x[i, y[0]]")
    'x.item(i, y[0])'
    """
    if dtype.name == "float32":
        return text
    depth, start = 0, len(text)
    while depth or start == len(text):
        start -= 1
        depth += {"]": 1, "[": -1}.get(text[start], 0)
    indices = text[start + 1 : -1]
    return f"{text[:start]}.item({'' if indices == '()' else indices})"


class NumberNames:
    """The objects that source texts use, by name.

    Args:
        name_of: returns the name of an object, similar to the given name; None to use the names as
            they are.
    """

    def __init__(self, name_of: Callable[[Any, str], str] | None = None) -> None:
        self.objects: dict[str, Any] = {}
        self.name_of = name_of or self._note
        self._made: dict[Any, Any] = {}

    def _note(self, thing: Any, name: str) -> str:
        while self.objects.setdefault(name, thing) is not thing:
            name += "_"
        return name

    def once(self, key: Any, make: Callable[[], Any], name: str) -> str:
        """Return the name of the result of `make`, which is called once for each key."""
        if key not in self._made:
            self._made[key] = make()
        return self.name_of(self._made[key], name)

    def packed(self, dtype: DType, text: str) -> str:
        """Return the text that converts a number to a scalar array."""
        array = self.name_of(np.array, "array")
        if dtype.name in ("float32", "float64"):
            return f"{array}({text})"
        return f"{array}({text}, {self.name_of(dtype.np_dtype, f'{dtype.name}_dtype')})"

    def literal(self, array: Array) -> Expression:
        """Return the expression of a constant.

        >>> NumberNames().literal(np.array(-3, np.int32)).text
        '-3'
        """
        number = number_of(array)
        if array.dtype.name == "float32":
            return Expression(self.once(number.tobytes(), lambda: number, _name_of(number)))
        if isinstance(number, float) and not math.isfinite(number):
            name = self.name_of(*((math.nan, "nan") if math.isnan(number) else (math.inf, "inf")))
            return Expression(f"-{name}", SIGN) if number < 0 else Expression(name)
        text = repr(number)
        return Expression(text, SIGN if text.startswith("-") else ATOM)


def _name_of(number: Any) -> str:
    """Return a name for a float32 constant: `f1_5`, `f1e_m06`, `fm2_0`."""
    text = _digits(number).replace("-", "m").replace("+", "")
    return "f" + re.sub(r"\W", "_", text)


def _digits(number: Any) -> str:
    """Return the shortest digits of a float32; `str` varies with NumPy's version."""
    size = abs(float(number))
    if not math.isfinite(size):
        return str(number)
    if size and not _SMALL <= size < _LARGE:
        return np.format_float_scientific(number, trim="-", exp_digits=2)
    return np.format_float_positional(number, trim="0")
