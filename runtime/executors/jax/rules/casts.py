"""Rules of casts. A float that an integer dtype cannot hold is cast by the NumPy executor.

C leaves that cast open, so NumPy and XLA give different integers for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.executors.jax.rules.jax_modules import jnp, lax
from runtime.executors.jax.rules.table import Unsupported, rule


def whole_number(run: Any, x: Any, dtype: Any) -> Any:
    """Return floats as integers, rounded towards zero; the run fails for those that do not fit."""
    limits = np.iinfo(dtype)
    wide = x.astype(np.float32) if x.dtype.itemsize < 4 else x
    least = wide.dtype.type(limits.min)
    # Beyond its digits, no float lies between the least integer and the one below it.
    is_above = wide > float(least) - 1 if least - 1 < least else wide >= float(least)
    run.fail(~(is_above & (wide < float(limits.max) + 1)))
    return x.astype(dtype)


@rule("cast")
def _cast(run: Any, node: Any, x: Any, *, dtype: Any) -> Any:
    target = dtype.np_dtype
    if x.dtype.kind == "c" and target.kind != "c":
        x = jnp.real(x)
    if x.dtype.kind == "f" and target.kind in "iu":
        return whole_number(run, x, target)
    return jnp.asarray(x).astype(target)


@rule("exact_cast")
def _exact_cast(run: Any, node: Any, x: Any, *, dtype: Any) -> Any:
    before, after = np.iinfo(x.dtype), np.iinfo(dtype.np_dtype)
    if not run.bounds.are_inside(x, after.min, after.max + 1):
        low, high = max(before.min, after.min), min(before.max, after.max)
        run.fail((x < low) | (x > high))
    return jnp.asarray(x).astype(dtype.np_dtype)


@rule("bitcast")
def _bitcast(run: Any, node: Any, x: Any, *, type: Any) -> Any:
    target = type.np_dtype
    if "c" in (x.dtype.kind, target.kind):
        raise Unsupported("no way to see complex numbers as other bits")
    if x.dtype == np.bool_:
        x = jnp.asarray(x).astype(np.uint8)
    if target == np.bool_:
        return lax.bitcast_convert_type(x, np.uint8) != 0
    return lax.bitcast_convert_type(x, target)
