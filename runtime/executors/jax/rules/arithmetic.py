"""Rules of arithmetic, comparisons and bits, elementwise with broadcasting."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from runtime.executors.jax.rules.functions import log1p, quotient
from runtime.executors.jax.rules.jax_modules import jnp, lax
from runtime.executors.jax.rules.shapes import is_known
from runtime.executors.jax.rules.table import RULES, Unsupported, rule
from runtime.passes.node_traits import may_not_fit

# Ops that a function of jax.numpy computes as the kernel does.
_SAME = """
acos=arccos acosh=arccosh angle asin=arcsin asinh=arcsinh atan=arctan atan2=arctan2 bitwise_and
bitwise_or bitwise_xor ceil conj cos exp expm1 floor greater greater_equal imag invert
is_finite=isfinite is_inf=isinf is_nan=isnan less less_equal log logical_and logical_not logical_or
logical_xor maximum minimum nextafter real reciprocal round=rint sign sin sqrt square tan tanh
"""


def _direct(function: str) -> Any:
    def of_operands(run: Any, node: Any, *operands: Any) -> Any:
        return getattr(jnp, function)(*operands)

    return of_operands


for _pair in _SAME.split():
    _op, _, _function = _pair.partition("=")
    RULES[_op] = _direct(_function or _op)


# -- sums and products, which may stand for Python's ints ------------------------------------------
#
# A Python int does not wrap around: a result that does not fit its dtype is an error.


def _is_exact(run: Any, node: Any, *operands: Any) -> bool:
    """Return whether a run has to check that a result fits its dtype."""
    if not may_not_fit(node) or any(np.ndim(each) for each in operands):
        return False
    if run.bounds.fits(node, operands):
        return False
    if operands[0].dtype.kind != "i":
        raise Unsupported(f"no Python ints of dtype {operands[0].dtype}")
    return True


def _wide(x: Any, dtype: Any) -> Any:
    return jnp.asarray(x).astype(dtype)


def _least(x: Any) -> Any:
    return np.iinfo(x.dtype).min


@rule("add")
def _add(run: Any, node: Any, x: Any, y: Any) -> Any:
    total = jnp.add(x, y)
    if _is_exact(run, node, x, y):
        run.fail(((x ^ total) & (y ^ total)) < 0)
    return total


@rule("subtract")
def _subtract(run: Any, node: Any, x: Any, y: Any) -> Any:
    difference = jnp.subtract(x, y)
    if _is_exact(run, node, x, y):
        run.fail(((x ^ y) & (x ^ difference)) < 0)
    return difference


@rule("multiply")
def _multiply(run: Any, node: Any, x: Any, y: Any) -> Any:
    product = jnp.multiply(x, y)
    if _is_exact(run, node, x, y):
        if product.dtype.itemsize < 8:
            run.fail(_wide(x, np.int64) * _wide(y, np.int64) != product)
        else:
            fail_near_limit(run, _wide(x, np.float64) * _wide(y, np.float64))
    return product


def fail_near_limit(run: Any, estimate: Any) -> None:
    """Fail if the estimate of an int64 is at the limits, or so close that it may be beyond them."""
    run.fail(~(abs(estimate) < 2.0**63 - 2.0**20))


@rule("negative")
def _negative(run: Any, node: Any, x: Any) -> Any:
    if _is_exact(run, node, x):
        run.fail(x == _least(x))
    return jnp.negative(x)


@rule("abs")
def _abs(run: Any, node: Any, x: Any) -> Any:
    if _is_exact(run, node, x):
        run.fail(x == _least(x))
    return jnp.abs(x)


@rule("pow")
def _pow(run: Any, node: Any, x: Any, y: Any) -> Any:
    if y.dtype.kind == "i":
        run.fail(y < 0)
    if _is_exact(run, node, x, y):
        estimate = jnp.power(_wide(x, np.float64), _wide(y, np.float64))
        if x.dtype.itemsize < 8:
            limits = np.iinfo(x.dtype)
            run.fail((estimate > limits.max + 0.5) | (estimate < limits.min - 0.5))
        else:
            fail_near_limit(run, estimate)
    return _power_of_ints(x, y) if y.dtype.kind in "iu" else jnp.power(x, y)


def _power_of_ints(x: Any, y: Any) -> Any:
    """Return x ** y, which wraps around, by squares; jax.numpy reads six bits of exponents."""
    if isinstance(y, np.ndarray) and not y.ndim and 0 <= y < 64:
        return lax.integer_pow(jnp.asarray(x), int(y))
    base, left = jnp.broadcast_arrays(x, jnp.maximum(y, 0))

    def step(state: Any) -> Any:
        power, square, left = state
        return jnp.where(left % 2 == 1, power * square, power), square * square, left // 2

    state = (jnp.ones_like(base), base, left)
    return lax.while_loop(lambda state: jnp.any(state[2] > 0), step, state)[0]


@rule("left_shift", "right_shift")
def _shift(run: Any, node: Any, x: Any, y: Any) -> Any:
    shift = getattr(jnp, node.op.name)
    by = jnp.clip(y, 0, 8 * x.dtype.itemsize - 1)
    moved = shift(x, by)
    if _is_exact(run, node, x, y):
        run.fail((jnp.right_shift(moved, by) != x) | ((y != by) & (y > 0) & (x != 0)))
    return moved


# -- quotients -------------------------------------------------------------------------------------


def _checked_divisor(run: Any, y: Any) -> None:
    if y.dtype.kind in "iu":
        run.fail(y == 0)


def _is_positive(y: Any) -> bool:
    """Return whether a divisor is known to be one positive integer: fewer steps do, then."""
    return is_known(y) and y.dtype.kind == "i" and y.ndim == 0 and bool(y > 0)


def _rest(x: Any, y: Any) -> tuple[Any, Any]:
    """Return the rest of a quotient that is rounded to zero, and the divisor in the form of `x`."""
    divisor = lax.full_like(x, y)
    return lax.rem(x, divisor), divisor


def _is_below_0(x: Any) -> Any:
    return lax.lt(x, lax.full_like(x, 0))


@rule("divide")
def _divide(run: Any, node: Any, x: Any, y: Any) -> Any:
    return quotient(x, y)


@rule("floordiv")
def _floordiv(run: Any, node: Any, x: Any, y: Any) -> Any:
    _checked_divisor(run, y)
    if _is_positive(y):
        rest, divisor = _rest(x, y)
        return jnp.subtract(
            lax.div(x, divisor), lax.convert_element_type(_is_below_0(rest), x.dtype)
        )
    if y.dtype.kind != "f":
        if _is_exact(run, node, x, y):
            run.fail((x == _least(x)) & (y == -1))
        return jnp.floor_divide(x, y)
    rest = jnp.fmod(x, y)
    times = quotient(x - rest, y)
    times = jnp.where((rest != 0) & ((y < 0) != (rest < 0)), times - 1, times)
    whole = jnp.floor(times)
    whole = jnp.where(times - whole > 0.5, whole + 1, whole)
    plain = quotient(x, y)
    return jnp.where(y == 0, plain, jnp.where(times == 0, jnp.copysign(0, plain), whole))


@rule("floormod")
def _floormod(run: Any, node: Any, x: Any, y: Any) -> Any:
    _checked_divisor(run, y)
    if _is_positive(y):
        rest, divisor = _rest(x, y)
        return lax.select(_is_below_0(rest), jnp.add(rest, divisor), rest)
    if y.dtype.kind != "f":
        return jnp.remainder(x, y)
    rest = jnp.fmod(x, y)
    signed = jnp.where(rest == 0, jnp.copysign(rest, y), rest)
    return jnp.where((rest != 0) & ((y < 0) != (rest < 0)), rest + y, signed)


@rule("truncatediv")
def _truncatediv(run: Any, node: Any, x: Any, y: Any) -> Any:
    _checked_divisor(run, y)
    if y.dtype.kind == "f":
        return jnp.trunc(quotient(x, y))
    return lax.div(*jnp.broadcast_arrays(x, y))


@rule("truncatemod")
def _truncatemod(run: Any, node: Any, x: Any, y: Any) -> Any:
    _checked_divisor(run, y)
    return jnp.fmod(x, y)


# -- results that are 0 where an operand is --------------------------------------------------------


def _zero_where(is_zero: Any, result: Any) -> Any:
    return jnp.where(is_zero, jnp.zeros((), result.dtype), result)


@rule("divide_no_nan")
def _divide_no_nan(run: Any, node: Any, x: Any, y: Any) -> Any:
    return _zero_where(y == 0, quotient(x, y))


@rule("multiply_no_nan")
def _multiply_no_nan(run: Any, node: Any, x: Any, y: Any) -> Any:
    return _zero_where(y == 0, jnp.multiply(x, y))


@rule("xlogy")
def _xlogy(run: Any, node: Any, x: Any, y: Any) -> Any:
    return _zero_where(x == 0, x * jnp.log(y))


@rule("xdivy")
def _xdivy(run: Any, node: Any, x: Any, y: Any) -> Any:
    return _zero_where(x == 0, quotient(x, y))


@rule("xlog1py")
def _xlog1py(run: Any, node: Any, x: Any, y: Any) -> Any:
    return _zero_where(x == 0, x * log1p(y))


# -- others ----------------------------------------------------------------------------------------


@rule("equal", "not_equal")
def _equal(run: Any, node: Any, x: Any, y: Any, *, otherwise: bool | None = None) -> Any:
    if otherwise is not None and not _broadcast(x, y):
        return jnp.asarray(otherwise)
    return getattr(jnp, node.op.name)(x, y)


def _broadcast(x: Any, y: Any) -> bool:
    return all(m == n or 1 in (m, n) for m, n in zip(x.shape[::-1], y.shape[::-1]))


@rule("squared_difference")
def _squared_difference(run: Any, node: Any, x: Any, y: Any) -> Any:
    difference = jnp.subtract(x, y)
    return difference * jnp.conj(difference)


@rule("clip_by_value")
def _clip(run: Any, node: Any, x: Any, low: Any, high: Any) -> Any:
    return jnp.maximum(jnp.minimum(x, high), low)


@rule("add_n")
def _add_n(run: Any, node: Any, *operands: Any) -> Any:
    return reduce(jnp.add, operands)


@rule("select")
def _select(run: Any, node: Any, condition: Any, x: Any, y: Any) -> Any:
    return jnp.where(condition, x, y)


@rule("rsqrt")
def _rsqrt(run: Any, node: Any, x: Any) -> Any:
    return 1 / jnp.sqrt(x)


@rule("complex")
def _complex(run: Any, node: Any, x: Any, y: Any) -> Any:
    return lax.complex(*jnp.broadcast_arrays(x, y))


@rule("identity", "stop_gradient")
def _identity(run: Any, node: Any, x: Any) -> Any:
    return x
