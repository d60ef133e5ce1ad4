"""The forms of arrays, and the join of the values that two paths leave in a variable."""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from autograph.jax.internals import converted, varying, varying_axes

NUMBERS = (bool, int, float, complex)
# The kinds of dtypes of NumPy arrays that JAX has no array for: objects, texts, times.
_NO_NUMBERS = frozenset("OSUMm")


class Form(NamedTuple):
    """The type of an array, as `lax.cond` and `lax.scan` compare it.

    Attributes:
        is_weak: whether its dtype gives way to that of another operand, as of a Python number.
        axes: the axes of a `shard_map` along which the value differs.
    """

    shape: tuple[int, ...]
    dtype: Any
    is_weak: bool
    axes: frozenset[Any] = frozenset()

    def __str__(self) -> str:
        weak = " (weak)" if self.is_weak else ""
        return f"{self.dtype}[{','.join(map(str, self.shape))}]{weak}"


def is_array(value: object) -> bool:
    """Return whether JAX has an array for a value: a number, or an array of numbers."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.dtype.kind not in _NO_NUMBERS
    return type(value) in NUMBERS or isinstance(value, jax.Array) or is_numeric_member(value)


def is_numeric_member(value: object) -> bool:
    """Return whether a value is a member of an enum that is an int, as of `enum.IntEnum`."""
    return isinstance(value, int) and isinstance(value, Enum)


def form_of(value: Any) -> Form:
    """Return the form of an array or number.

    >>> str(form_of(3)), str(form_of(jnp.zeros(2)))
    ('int32[] (weak)', 'float32[2]')
    """
    if isinstance(value, jax.Array):
        aval = jax.typeof(value)
        return Form(aval.shape, aval.dtype, bool(aval.weak_type), varying_axes(value))
    is_weak = (type(value) in NUMBERS and type(value) is not bool) or is_numeric_member(value)
    return Form(np.shape(value), jnp.result_type(value), is_weak)


def joined_form(one: Form, other: Form) -> Form | None:
    """Return the form that holds both; None if there is none without a change of a value's dtype.

    A weak type gives way, as JAX does it: 0 and a float32 are float32.

    >>> str(joined_form(form_of(0), form_of(jnp.float32(1))))
    'float32[]'
    >>> joined_form(form_of(0.5), form_of(jnp.int32(1))) is None
    True
    """
    if one.shape != other.shape:
        return None
    axes = one.axes | other.axes
    if one.dtype == other.dtype:
        return Form(one.shape, one.dtype, one.is_weak and other.is_weak, axes)
    for weak, wide in ((one, other), (other, one)):
        if weak.is_weak and _rank(weak.dtype) <= _rank(wide.dtype):
            return wide._replace(axes=axes)
    return None


def _rank(dtype: Any) -> int:
    kinds = (jnp.integer, jnp.floating, jnp.complexfloating)
    return next((k for k, kind in enumerate(kinds) if jnp.issubdtype(dtype, kind)), -1)


def fitted(value: Any, form: Form) -> Any:
    """Return a value in a form that `joined_form` gave for it."""
    own = form_of(value)
    if is_numeric_member(value):
        value = int(value)
    if own == form:
        return value
    if (own.dtype, own.is_weak) != (form.dtype, form.is_weak):
        value = converted(value, form.dtype, form.is_weak)
    elif not isinstance(value, jax.Array):
        value = jnp.asarray(value)
    return varying(value, form.axes)


def blank(form: Form) -> Any:
    """Return an array of a form, for a place whose value is not read."""
    if jnp.issubdtype(form.dtype, jax.dtypes.prng_key):
        like = jax.random.key_data(jax.random.key(0, impl=str(form.dtype._impl.name)))
        zeros = jnp.zeros((*form.shape, *like.shape), like.dtype)
        value: Any = jax.random.wrap_key_data(zeros, impl=str(form.dtype._impl.name))
    elif form.shape == () and not form.axes:
        # A literal of the program, without an equation.
        return form.dtype.type(0).item() if form.is_weak else np.zeros((), form.dtype)
    elif form.is_weak:
        value = converted(jnp.zeros(form.shape, form.dtype), form.dtype, True)
    else:
        value = jnp.zeros(form.shape, form.dtype)
    return varying(value, form.axes)


def scalar(value: Any, dtype: Any) -> Any:
    """Return an array as the number that Python's `int`, `float` or `complex` would give.

    Such a number has a weak type, as a Python number has.
    """
    dtype = jnp.result_type(dtype)
    return converted(value, dtype, not jnp.issubdtype(dtype, jnp.bool_))
