"""The modules of JAX, which are imported when one of their names is first used."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.lazy_imports import load_module


class _LazyModule:
    """A module that is imported on first use of a name.

    >>> _LazyModule("math").sqrt(9)
    3.0
    """

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # A look at this object, such as that of `inspect`.
            raise AttributeError(name)
        found = getattr(load_module(self._module), name)
        setattr(self, name, found)
        return found


jax: Any = _LazyModule("jax")
jnp: Any = _LazyModule("jax.numpy")
lax: Any = _LazyModule("jax.lax")
special: Any = _LazyModule("jax.scipy.special")


def with_64_bits() -> Any:
    """Return a context in which arrays may have 64 bits, which JAX leaves out by default."""
    if hasattr(load_module("jax"), "enable_x64"):
        return jax.enable_x64(True)
    return load_module("jax.experimental").enable_x64()


def is_symbol(size: Any) -> bool:
    """Return whether a size is a symbol of a program to export, or made of symbols.

    >>> is_symbol(3)
    False
    """
    return not isinstance(size, int) and bool(load_module("jax.export").is_symbolic_dim(size))


def is_size(size: Any) -> bool:
    """Return whether a size is known while JAX traces: an int or a symbol.

    >>> is_size(3)
    True
    """
    return isinstance(size, int) or is_symbol(size)


def size_of(size: Any, dtype: Any) -> Any:
    """Return a size as a scalar: known, or traced if it is a symbol of a program to export.

    >>> import numpy as np
    >>> size_of(3, np.dtype("int64"))
    array(3)
    """
    return np.array(size, dtype) if isinstance(size, int) else jnp.asarray(size).astype(dtype)
