"""The modules of JAX, which are imported when one of their names is first used.

JAX traces a function of `jax.numpy` again for each shape and dtype, which takes ten times as long
as its primitive. So `jnp` here calls the primitive itself where the operands agree.
"""

from __future__ import annotations

from collections.abc import Callable
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


# The primitives of functions of arrays that have one dtype, of the kinds before the colon.
_PRIMITIVES = """
iuf: add=add subtract=sub multiply=mul maximum=max minimum=min negative=neg
biuf: equal=eq not_equal=ne
iuf: greater=gt greater_equal=ge less=lt less_equal=le
biu: bitwise_and=bitwise_and bitwise_or=bitwise_or bitwise_xor=bitwise_xor
b: logical_and=bitwise_and logical_or=bitwise_or logical_xor=bitwise_xor logical_not=bitwise_not
if: abs=abs sign=sign
f: divide=div sqrt=sqrt square=square exp=exp expm1=expm1 log=log log1p=log1p floor=floor
f: ceil=ceil sin=sin cos=cos tan=tan tanh=tanh isfinite=is_finite
"""


def _primitives() -> dict[str, tuple[str, str]]:
    """Return the kinds of dtypes and the name of the primitive of each function."""
    lines = [line.split(": ") for line in _PRIMITIVES.split("\n") if line]
    pairs = [(kinds, pair.split("=")) for kinds, pairs in lines for pair in pairs.split()]
    return {function: (kinds, primitive) for kinds, (function, primitive) in pairs}


class _Numpy(_LazyModule):
    """The module `jax.numpy`, whose elementwise functions are primitives where operands agree."""

    _primitives = _primitives()

    def __getattr__(self, name: str) -> Any:
        found = super().__getattr__(name)
        if name in self._primitives:
            kinds, primitive = self._primitives[name]
            found = _direct(found, getattr(lax, primitive), kinds)
            setattr(self, name, found)
        return found


def _direct(function: Callable[..., Any], primitive: Callable[..., Any], kinds: str) -> Any:
    """Return a function that calls the primitive for arrays of one shape and dtype."""

    def of_operands(first: Any, *others: Any) -> Any:
        kind = getattr(getattr(first, "dtype", None), "kind", None)
        if kind and kind in kinds and all(_agree(first, each) for each in others):
            return primitive(first, *others)
        return function(first, *others)

    return of_operands


def _agree(x: Any, y: Any) -> bool:
    return hasattr(y, "dtype") and y.dtype == x.dtype and y.shape == x.shape


jax: Any = _LazyModule("jax")
jnp: Any = _Numpy("jax.numpy")
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
