"""The functions of Python's `math` module that take values of a backend, by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

_OF_NUMBERS = """
    acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees erf erfc exp
    exp2 expm1 fabs factorial floor fmod frexp gamma gcd hypot isclose isfinite isinf isnan isqrt
    lcm ldexp lgamma log log10 log1p log2 modf nextafter perm pow radians remainder sin sinh sqrt
    tan tanh trunc ulp
"""
_OF_ITEMS = "fsum prod"
_OF_POINTS = "dist"


def _named(names: str) -> dict[Callable[..., object], str]:
    # Some are missing in older Pythons.
    found = {getattr(math, name, None): f"math.{name}" for name in names.split()}
    return {function: name for function, name in found.items() if function is not None}


# The backends' names begin with `math.`, since some functions share their name with a builtin.
OF_NUMBERS: Mapping[Callable[..., object], str] = _named(_OF_NUMBERS)
OF_ITEMS: Mapping[Callable[..., object], str] = _named(_OF_ITEMS)
OF_POINTS: Mapping[Callable[..., object], str] = _named(_OF_POINTS)
