"""Python's operators on symbolic tensors with NumPy's semantics.

a[0] * 0.5                 float64, where `a[0]` is an element of an array of int32

Any other symbolic tensor has the operators of all tensors. The import of this module installs them;
a converter imports it if graphs may write to arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from runtime.core.lazy_imports import lazy_import
from runtime.core.tensor import SymbolicTensor
from runtime.ops.convert import NUMPYS, is_weak
from runtime.ops.overloads import operators

Operator = Callable[..., Any]
# Imported lazily, since the tables of NumPy's functions are large.
apply_ufunc = lazy_import("runtime.interop.numpy.ufuncs:apply_ufunc")
are_numpy_values = lazy_import("runtime.interop.numpy.ufuncs:are_numpy_values")
scalar_method = lazy_import("runtime.interop.numpy.protocol:scalar_method")
# The functions that NumPy's arrays have for Python's operators.
UFUNCS: Mapping[str, np.ufunc] = {
    "abs": np.absolute,
    "add": np.add,
    "and": np.bitwise_and,
    "divmod": np.divmod,
    "eq": np.equal,
    "floordiv": np.floor_divide,
    "ge": np.greater_equal,
    "gt": np.greater,
    "invert": np.invert,
    "le": np.less_equal,
    "lshift": np.left_shift,
    "lt": np.less,
    "matmul": np.matmul,
    "mod": np.remainder,
    "mul": np.multiply,
    "ne": np.not_equal,
    "neg": np.negative,
    "or": np.bitwise_or,
    "pos": np.positive,
    "pow": np.power,
    "rshift": np.right_shift,
    "sub": np.subtract,
    "truediv": np.divide,
    "xor": np.bitwise_xor,
}
# Methods of NumPy scalars.
_METHODS = frozenset(
    "all any argmax argmin astype clip copy item max mean min prod round std sum tolist var".split()
)


def _install() -> None:
    """Give symbolic tensors these operators."""
    SymbolicTensor.__getattr__ = _attribute(SymbolicTensor.__getattr__)  # type: ignore[attr-defined]
    general = operators()
    for name, ufunc in UFUNCS.items():
        _set(f"__{name}__", _operator(ufunc, general[f"__{name}__"]))
        if (reflected := f"__r{name}__") in general:
            _set(reflected, _reflected(ufunc, general[reflected]))


def _attribute(general: Operator) -> Operator:
    def attribute(self: Any, name: str) -> Any:
        if self.weak == NUMPYS and not name.startswith("_") and self.shape.rank == 0:
            if name in ("itemsize", "nbytes"):
                return self.dtype.size
            if name in _METHODS:
                return partial(scalar_method, self, name)
        return general(self, name)

    return attribute


def _set(name: str, method: Any) -> None:
    method.__name__, method.__qualname__ = name, f"SymbolicTensor.{name}"
    # The name of the frame's code is the basis of recorded names.
    method.__code__ = method.__code__.replace(co_name=name)
    setattr(SymbolicTensor, name, method)


def _operator(ufunc: np.ufunc, general: Operator) -> Operator:
    def operator(self: Any, *others: Any) -> Any:
        may_be_numpy = self.weak or (others and is_weak(others[0]))
        if may_be_numpy and _are_numpy_operands(ufunc, self, *others):
            return apply_ufunc(ufunc, self, *others)
        return general(self, *others)

    return operator


def _reflected(ufunc: np.ufunc, general: Operator) -> Operator:
    def operator(self: Any, other: Any, *others: Any) -> Any:
        if self.weak and not others and _are_numpy_operands(ufunc, other, self):
            return apply_ufunc(ufunc, other, self)
        return general(self, other, *others)

    return operator


def _are_numpy_operands(ufunc: np.ufunc, *operands: Any) -> bool:
    has_numpy_value = len(operands) == ufunc.nin and any(
        isinstance(each, (np.ndarray, np.generic)) or is_weak(each) == NUMPYS for each in operands
    )
    return has_numpy_value and are_numpy_values(*operands)


_install()
