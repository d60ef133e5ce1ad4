"""Rules of Python's `math` module: in float64, with an error where Python raises one."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import numpy as np

from runtime.executors.jax.rules import functions
from runtime.executors.jax.rules.casts import whole_number
from runtime.executors.jax.rules.jax_modules import jnp, lax
from runtime.executors.jax.rules.table import Unsupported, rule

_LOG_2, _LOG_10 = math.log(2), math.log(10)
_LEAST_TEN, _MOST_TEN = -307, 308
_TENS = np.array([float(f"1e{power}") for power in range(_LEAST_TEN, _MOST_TEN + 1)])
_FACTORIALS = np.array([math.factorial(n) for n in range(21)])


# -- logarithms and powers, exact where the results are whole numbers ------------------------------


def _log2(x: Any) -> Any:
    mantissa, exponent = jnp.frexp(x)
    is_small = mantissa < math.sqrt(0.5)
    mantissa = jnp.where(is_small, 2 * mantissa, mantissa)
    return (exponent - is_small) + jnp.log(mantissa) / _LOG_2


def _log10(x: Any) -> Any:
    rough = jnp.log(x) / _LOG_10
    power = jnp.rint(jnp.clip(rough, _LEAST_TEN, _MOST_TEN))
    ten = jnp.asarray(_TENS)[power.astype(np.int32) - _LEAST_TEN]
    return jnp.where(x == ten, power, rough)


def _exp2(x: Any) -> Any:
    whole = jnp.rint(jnp.clip(x, -1074, 1024))
    near = jnp.exp((x - whole) * _LOG_2)
    return jnp.where(jnp.isfinite(x), jnp.ldexp(near, whole.astype(np.int32)), jnp.exp2(x))


def _cbrt(x: Any) -> Any:
    root = jnp.cbrt(x)
    whole = jnp.rint(root)
    return jnp.where(whole * whole * whole == x, whole, root)


def _hypot(*xs: Any) -> Any:
    sizes = [jnp.abs(each) for each in xs]
    largest = reduce(jnp.maximum, sizes, jnp.zeros(()))
    scale = jnp.where((largest == 0) | jnp.isinf(largest), 1.0, largest)
    squares = [(each / scale) ** 2 for each in sizes]
    found = scale * jnp.sqrt(sum(squares, jnp.zeros(())))
    # An infinite side makes an infinite length, even beside NaN.
    return jnp.where(reduce(jnp.logical_or, map(jnp.isinf, sizes), False), jnp.inf, found)


def _distance(p: Any, q: Any) -> Any:
    return _hypot(*(p[at] - q[at] for at in range(p.shape[0])))


def _remainder(x: Any, y: Any) -> Any:
    """Return x minus the nearest multiple of y, as IEEE 754 defines it."""
    size, by = jnp.abs(x), jnp.abs(y)
    rest = jnp.fmod(size, by)
    over = by - rest
    even = rest - 2 * jnp.fmod(0.5 * (size - rest), by)
    found = jnp.where(rest < over, rest, jnp.where(rest > over, -over, even))
    found = jnp.where(jnp.isinf(y) & jnp.isfinite(x), size, found)
    return jnp.where(x < 0, -found, found)


def _ulp(x: Any) -> Any:
    size = jnp.abs(x)
    before = jnp.nextafter(size, 0.0)
    limit = np.finfo(np.float64).max
    return jnp.where(size == limit, size - before, jnp.nextafter(size, jnp.inf) - size)


# The functions of floats. A NaN that no operand has, or an infinity from finite operands, is an
# error of Python's.
_OF_FLOATS: Mapping[str, Callable[..., Any]] = {
    **{
        name: lambda *xs, name=name: getattr(jnp, name)(*xs)
        for name in "copysign cos exp expm1 fabs fmod sin sqrt tan tanh".split()
    },
    **{
        name: lambda *xs, name=name: getattr(jnp, f"arc{name[1:]}")(*xs)
        for name in "acos acosh asin asinh atan atan2".split()
    },
    "atanh": functions.atanh,
    "cbrt": _cbrt,
    "cosh": functions.cosh,
    "degrees": lambda x: x * (180 / math.pi),
    "dist": _distance,
    "erf": lambda x: lax.erf(x),
    "erfc": lambda x: lax.erfc(x),
    "exp2": _exp2,
    "frexp": lambda x: jnp.where(jnp.isfinite(x), jnp.frexp(x)[0], x),
    "hypot": _hypot,
    "lgamma": lambda x: lax.lgamma(x),
    "log10": _log10,
    "log1p": functions.log1p,
    "log2": _log2,
    "pow": lambda x, y: jnp.power(x, y),
    "radians": lambda x: x * (math.pi / 180),
    "remainder": _remainder,
    "sinh": functions.sinh,
}


# -- functions with checks of their own ------------------------------------------------------------


def _log(run: Any, x: Any, *base: Any) -> Any:
    for each in (x, *base):
        run.fail(each <= 0)
    return jnp.log(x) / jnp.log(base[0]) if base else jnp.log(x)


def _ldexp(run: Any, x: Any, power: Any) -> Any:
    found = jnp.ldexp(x, jnp.clip(power, -5000, 5000).astype(np.int32))
    # XLA has no numbers below the smallest normal one.
    run.fail((jnp.abs(found) < np.finfo(np.float64).tiny) & (x != 0))
    return found


def _next_after(run: Any, x: Any, y: Any, *steps: Any) -> Any:
    if steps:
        raise Unsupported("no math.nextafter of several steps")
    return jnp.nextafter(x, y)


def _checked_ulp(run: Any, x: Any) -> Any:
    run.fail(jnp.abs(x) < 2.0**-960)
    return _ulp(x)


def _sum(run: Any, items: Any) -> Any:
    """Return the exactly rounded sum; the run fails if the digits that were kept do not tell it."""

    def step(at: Any, state: Any) -> Any:
        total, lost, size = state
        total, off = _two_sum(total, items[at])
        return total, lost + off, size + jnp.abs(off)

    zero = jnp.zeros((), np.float64)
    if not items.shape[0]:
        return zero
    total, lost, size = lax.fori_loop(0, len(items), step, (zero, zero, zero))
    doubt = size * (len(items) * 2.0**-52)
    run.fail((total + (lost - doubt) != total + (lost + doubt)) | ~jnp.isfinite(total))
    return total + lost


def _two_sum(x: Any, y: Any) -> tuple[Any, Any]:
    """Return the rounded sum of two floats, and the rest of it."""
    total = functions.rounded(x + y)
    part = functions.rounded(total - x)
    return total, (x - functions.rounded(total - part)) + (y - part)


def _is_close(run: Any, a: Any, b: Any, relative: Any = 1e-9, absolute: Any = 0.0) -> Any:
    run.fail((relative < 0) | (absolute < 0))
    gap = jnp.abs(a - b)
    most = jnp.maximum(relative * jnp.maximum(jnp.abs(a), jnp.abs(b)), absolute)
    return (a == b) | (jnp.isfinite(a) & jnp.isfinite(b) & (gap <= most))


_CHECKED: Mapping[str, Callable[..., Any]] = {
    "fsum": _sum,
    "isclose": _is_close,
    "ldexp": _ldexp,
    "log": _log,
    "nextafter": _next_after,
    "ulp": _checked_ulp,
    **{
        name: lambda run, x, name=name: getattr(jnp, name)(x)
        for name in "isfinite isinf isnan".split()
    },
}


# -- whole results ---------------------------------------------------------------------------------


def _rounded(way: str) -> Callable[..., Any]:
    def of_number(run: Any, dtype: Any, x: Any) -> Any:
        if x.dtype.kind != "f":
            return _fitting(run, x.astype(np.int64), dtype)
        return whole_number(run, getattr(jnp, way)(x.astype(np.float64)), dtype)

    return of_number


def _fitting(run: Any, found: Any, dtype: Any) -> Any:
    """Return an int64 in a dtype; the run fails if it does not fit."""
    run.fail(found.astype(dtype) != found)
    return found.astype(dtype)


def _exponent(run: Any, dtype: Any, x: Any) -> Any:
    wide = x.astype(np.float64)
    return jnp.where(jnp.isfinite(wide), jnp.frexp(wide)[1], 0).astype(dtype)


def _of_ints(function: Callable[..., Any]) -> Callable[..., Any]:
    def of_numbers(run: Any, dtype: Any, *xs: Any) -> Any:
        for each in xs:
            # Python's ints have no least one, which has no absolute value here.
            run.fail(each.astype(np.float64) >= 2.0**63)
            run.fail(each.astype(np.int64) == np.iinfo(np.int64).min)
        return _fitting(run, function(run, *(each.astype(np.int64) for each in xs)), dtype)

    return of_numbers


def _factorial(run: Any, n: Any) -> Any:
    run.fail((n < 0) | (n > 20))
    return jnp.asarray(_FACTORIALS)[jnp.clip(n, 0, 20)]


def _isqrt(run: Any, n: Any) -> Any:
    run.fail((n < 0) | (n >= 2**62))
    root = jnp.sqrt(jnp.maximum(n, 0).astype(np.float64)).astype(np.int64)
    root = root - (root * root > n)
    return root + ((root + 1) * (root + 1) <= n)


def _gcd(run: Any, *ns: Any) -> Any:
    return reduce(jnp.gcd, ns, jnp.zeros((), np.int64))


def _lcm(run: Any, *ns: Any) -> Any:
    found = jnp.ones((), np.int64)
    for each in ns:
        estimate = jnp.abs(found.astype(np.float64) * each.astype(np.float64))
        run.fail(estimate / jnp.maximum(jnp.gcd(found, each), 1) > 2.0**62)
        found = jnp.lcm(found, each)
    return found


def _perm(run: Any, n: Any, *k: Any) -> Any:
    if not k:
        return _factorial(run, n)
    run.fail((n < 0) | (k[0] < 0))

    def step(state: Any) -> Any:
        found, rough, at = state
        return found * (n - at), rough * (n - at).astype(np.float64), at + 1

    one = jnp.ones((), np.int64)
    state = (one, jnp.ones(()), jnp.zeros((), np.int64))
    is_open = lambda state: (state[2] < k[0]) & (state[1] < 2.0**62) & (state[0] != 0)  # noqa: E731
    found, rough, _ = lax.while_loop(is_open, step, state)
    run.fail(rough >= 2.0**62)
    return found


def _comb(run: Any, n: Any, k: Any) -> Any:
    run.fail((n < 0) | (k < 0))
    fewer = jnp.minimum(k, n - k)

    def step(state: Any) -> Any:
        found, rough, at = state
        following = rough * (n - at).astype(np.float64)
        return found * (n - at) // (at + 1), following / (at + 1), at + 1

    state = (jnp.ones((), np.int64), jnp.ones(()), jnp.zeros((), np.int64))
    is_open = lambda state: (state[2] < fewer) & (state[1] * n < 2.0**62)  # noqa: E731
    found, rough, at = lax.while_loop(is_open, step, state)
    run.fail((k <= n) & (at < fewer))
    return jnp.where(k > n, 0, found)


_WHOLE: Mapping[str, Callable[..., Any]] = {
    "ceil": _rounded("ceil"),
    "floor": _rounded("floor"),
    "trunc": _rounded("trunc"),
    "frexp_exponent": _exponent,
    "comb": _of_ints(_comb),
    "factorial": _of_ints(_factorial),
    "gcd": _of_ints(_gcd),
    "isqrt": _of_ints(_isqrt),
    "lcm": _of_ints(_lcm),
    "perm": _of_ints(_perm),
}


@rule("python_math")
def _math(run: Any, node: Any, *numbers: Any, function: str, dtype: Any) -> Any:
    given = [jnp.asarray(each) for each in numbers]
    if function in _WHOLE:
        return _WHOLE[function](run, dtype.np_dtype, *given)
    xs = [each.astype(np.float64) for each in given]
    if function in _CHECKED:
        found = _CHECKED[function](run, *xs)
    elif function in _OF_FLOATS:
        found = _OF_FLOATS[function](*xs)
    else:
        raise Unsupported(f"no math.{function}")
    if found.dtype != np.bool_:
        _check_result(run, found, xs)
    return found.astype(dtype.np_dtype)


def _check_result(run: Any, found: Any, xs: Any) -> None:
    has_nan = reduce(jnp.logical_or, (jnp.any(jnp.isnan(each)) for each in xs))
    is_finite = reduce(jnp.logical_and, (jnp.all(jnp.isfinite(each)) for each in xs))
    run.fail((jnp.isnan(found) & ~has_nan) | (jnp.isinf(found) & is_finite))
