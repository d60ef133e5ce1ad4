"""Tensors and variables as arguments of JAX's own functions, as NumPy's arrays are.

    y = f(x)             a tensor that an engine has computed
    jnp.sum(y)           takes its array
    jax.jit(g)(y)        so does a function under a transformation

JAX has tables of the types that it takes; a tensor is taken as the array that it references.
"""

from __future__ import annotations

import functools
from typing import Any

from runtime.core.device_tensor import DeviceTensor
from runtime.core.lazy_imports import load
from runtime.core.tensor import EagerTensor
from runtime.executors.jax.rules.jax_modules import jax, jnp
from runtime.state.variable import Variable

_TYPES = (EagerTensor, DeviceTensor, Variable)


def as_jax_array(value: Any) -> Any:
    """Return the value of a tensor or variable as an array of JAX.

    >>> as_jax_array(EagerTensor(np.zeros(2, np.float32)))  # doctest: +SKIP
    Array([0., 0.], dtype=float32)
    """
    return jnp.asarray(_array_of(value))


def _array_of(value: Any) -> Any:
    """Return the array that holds a value: JAX's, if it has a dtype that JAX computes with now."""
    tensor: Any = value.read_value() if isinstance(value, Variable) else value
    held = getattr(tensor, "_held", None)
    if isinstance(held, jax.Array) and jax.dtypes.canonicalize_dtype(held.dtype) == held.dtype:
        return held
    return tensor._array


@functools.cache
def register() -> bool:
    """Let JAX take tensors and variables as arguments.

    JAX has no public name for this. A version without one of these tables is left as it is: it
    raises its own error, which says to call `jax.numpy.array`.

    Returns:
        Whether JAX has the tables.
    """
    try:
        types: Any = load("jax._src.core:pytype_aval_mappings")
        abstractify: Any = load("jax._src.core:shaped_abstractify")
        canonical: Any = load("jax.interpreters.xla:canonicalize_dtype_handlers")
        to_devices: Any = load("jax._src.interpreters.pxla:shard_arg_handlers")
        shard: Any = load("jax._src.interpreters.pxla:shard_args")
    except (AttributeError, ModuleNotFoundError):
        return False
    for kind in _TYPES:
        types[kind] = lambda value: abstractify(_array_of(value))
        canonical[kind] = as_jax_array
        to_devices[kind] = lambda values, *placing: shard(*placing, [*map(as_jax_array, values)])
    return True
