"""Rules of functions of one number, and of the special functions.

XLA loses digits of some functions in places, so they are computed by other formulas here. The
special functions are computed in float64, as in their kernels.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.executors.jax.rules.jax_modules import jnp, lax, special
from runtime.executors.jax.rules.table import RULES, rule


def rounded(x: Any) -> Any:
    """Return a float64 as it is, which XLA then takes for rounded: it computes 1 + x - 1 as x."""
    return lax.reduce_precision(x, 11, 52)


def quotient(x: Any, y: Any) -> Any:
    """Return x / y as it is rounded.

    XLA multiplies by the reciprocal of a divisor that it repeats, and 49 / 49 is less than 1 then.
    A divisor that depends on x is not repeated.
    """
    if x.dtype.kind == "f" and max(x.ndim, y.ndim):
        y = jnp.where(jnp.isnan(x), x, y)
    return jnp.divide(x, y)


def log1p(x: Any) -> Any:
    """Return log(1 + x); in float64 by Kahan's formula, as XLA loses digits there."""
    if x.dtype != np.float64:
        return jnp.log1p(x)
    whole = rounded(1 + x)
    is_plain = (whole == 1) | (whole == jnp.inf)
    return jnp.where(is_plain, x, jnp.log(whole) * (x / jnp.where(is_plain, 1, whole - 1)))


@rule("log1p")
def _log1p(run: Any, node: Any, x: Any) -> Any:
    return log1p(x)


@rule("atanh")
def _atanh(run: Any, node: Any, x: Any) -> Any:
    return atanh(x)


def atanh(x: Any) -> Any:
    """Return the number whose hyperbolic tangent is x."""
    if x.dtype != np.float64:
        return jnp.arctanh(x)
    size = jnp.abs(x)
    # For small numbers the first term has all digits.
    ratio = jnp.where(size < 0.5, 2 * size + 2 * size * size / (1 - size), 2 * size / (1 - size))
    return jnp.where(size > 1, jnp.nan, jnp.copysign(0.5 * log1p(ratio), x))


def _halves(x: Any) -> tuple[Any, Any]:
    """Return exp(|x|) / 2 and exp(-|x|) / 2; the first one overflows only if the results do."""
    root = jnp.exp(jnp.abs(x) / 2)
    return 0.5 * root * root, 0.5 / root / root


@rule("cosh")
def _cosh(run: Any, node: Any, x: Any) -> Any:
    return cosh(x)


def cosh(x: Any) -> Any:
    """Return the hyperbolic cosine."""
    if x.dtype.kind == "c":
        return jnp.cosh(x)
    large, small = _halves(x)
    return large + small


@rule("sinh")
def _sinh(run: Any, node: Any, x: Any) -> Any:
    return sinh(x)


def sinh(x: Any) -> Any:
    """Return the hyperbolic sine."""
    if x.dtype.kind == "c":
        return jnp.sinh(x)
    size = jnp.abs(x)
    risen = jnp.expm1(jnp.minimum(size, 1))
    large, small = _halves(x)
    near = 0.5 * (risen + risen / (risen + 1))
    return jnp.copysign(jnp.where(size < 1, near, large - small), x)


# -- special functions -----------------------------------------------------------------------------


def erfinv(y: Any) -> Any:
    """Return the number whose error function is y, of float64; near 1 by the tail, for digits."""
    size = jnp.abs(y)
    tail = -special.ndtri((1 - size) / 2) * math.sqrt(0.5)
    return jnp.where(size < 0.5, lax.erf_inv(y), jnp.copysign(tail, y))


def _lgamma(x: Any) -> Any:
    return jnp.where(x == -jnp.inf, jnp.inf, lax.lgamma(x))


def _bessel_i0(x: Any) -> Any:
    return jnp.where(jnp.isinf(x), jnp.inf, special.i0(x))


def _bessel_i1(x: Any) -> Any:
    return jnp.where(jnp.isinf(x), x, special.i1(x))


def _in_part(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a part of gamma, which has no limit if both operands are infinite."""

    def part(a: Any, x: Any) -> Any:
        found = function(*jnp.broadcast_arrays(a, x))
        return jnp.where(jnp.isinf(a) & jnp.isinf(x), jnp.nan, found)

    return part


def _zeta(x: Any, q: Any) -> Any:
    found = lax.zeta(*jnp.broadcast_arrays(x, q))
    return jnp.where((x > 1) & (q == jnp.inf), 0.0, found)


def _betainc(a: Any, b: Any, x: Any) -> Any:
    found = lax.betainc(*jnp.broadcast_arrays(a, b, x))
    return jnp.where(jnp.isfinite(a) & jnp.isfinite(b), found, jnp.nan)


_OF_FLOAT64: dict[str, Callable[..., Any]] = {
    "bessel_i0": _bessel_i0,
    "bessel_i0e": lambda x: lax.bessel_i0e(x),
    "bessel_i1": _bessel_i1,
    "bessel_i1e": lambda x: lax.bessel_i1e(x),
    "betainc": _betainc,
    "digamma": lambda x: lax.digamma(x),
    "erfc": lambda x: lax.erfc(x),
    "erfinv": erfinv,
    "igamma": _in_part(lambda a, x: lax.igamma(a, x)),
    "igamma_grad": lambda a, x: lax.igamma_grad_a(*jnp.broadcast_arrays(a, x)),
    "igammac": _in_part(lambda a, x: lax.igammac(a, x)),
    "lgamma": _lgamma,
    "ndtri": lambda p: special.ndtri(p),
    "polygamma": lambda a, x: lax.polygamma(*jnp.broadcast_arrays(a, x)),
    "zeta": _zeta,
}


def _in_float64(function: Callable[..., Any]) -> Any:
    def of_operands(run: Any, node: Any, *operands: Any) -> Any:
        wide = [jnp.asarray(each).astype(np.float64) for each in operands]
        return function(*wide).astype(operands[0].dtype)

    return of_operands


for _name, _function in _OF_FLOAT64.items():
    RULES[_name] = _in_float64(_function)


@rule("erf")
def _erf(run: Any, node: Any, x: Any) -> Any:
    return lax.erf(jnp.asarray(x))
