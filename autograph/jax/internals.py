"""The parts of JAX that have no public name, for the versions 0.6 to 0.10."""

from __future__ import annotations

from typing import Any

from jax import lax
from jax._src import core
from jax._src.export.shape_poly import _DimExpr
from jax._src.lax.lax import _convert_element_type

Tracer = core.Tracer
# A dimension that `jax.export` leaves open, such as `2*b`.
SymbolicDimension = _DimExpr


def recorder() -> object | None:
    """Return None outside of a transformation; JAX then computes with arrays of known values."""
    context = core.trace_ctx
    return None if context.is_top_level() else context


def is_concrete(value: object) -> bool:
    """Return whether Python can read the value of an array now, also while it is differentiated."""
    return not isinstance(value, Tracer) or core.is_concrete(value)


def converted(value: Any, dtype: Any, is_weak: bool) -> Any:
    """Return an array with another dtype, or weak type."""
    return _convert_element_type(value, dtype, weak_type=is_weak)


def varying_axes(value: Any) -> frozenset[Any]:
    """Return the axes of a `shard_map` along which a value differs."""
    aval = core.typeof(value)
    kind = getattr(aval, "manual_axis_type", None)
    found = getattr(aval, "vma", ()) if kind is None else kind.varying
    return frozenset(found or ())


def varying(value: Any, axes: frozenset[Any]) -> Any:
    """Return a value as one that may differ along more axes of a `shard_map`."""
    missing = tuple(sorted(axes - varying_axes(value), key=str))
    if not missing:
        return value
    if hasattr(lax, "pcast"):
        return lax.pcast(value, missing, to="varying")
    return lax.pvary(value, missing)  # type: ignore[attr-defined,unused-ignore]
