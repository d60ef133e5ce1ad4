"""NumPy's ufuncs by name, with the ops that compute them.

np.exp(x)                  is computed in NumPy's result dtype
a * 0.5                    float64, where `a` is an array of int32 made by the program
a += 0.5                   a TypeError, since the array cannot hold the result
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from runtime.core.converter_hooks import ConverterHooks
from runtime.core.dtypes import as_dtype
from runtime.core.tensor import SymbolicTensor, Tensor
from runtime.graph.capture import TensorAlias
from runtime.interop.numpy import elementwise as composed
from runtime.interop.numpy.conversion import adapted
from runtime.ops.constant import identity
from runtime.ops.convert import NUMPYS, holds_tensors, is_weak, to_tensor, weakly
from runtime.ops.elementwise import arithmetic, comparison, complex_numbers, hyperbolic, logic
from runtime.ops.elementwise import unary as elementwise
from runtime.ops.linalg.matrices import array_product
from runtime.ops.literals import adoptable

Function = Callable[..., Any]

# Computed in NumPy's result dtype.
UNARY: Mapping[str, Function] = {
    "absolute": elementwise.abs,
    "arccos": elementwise.acos,
    "arccosh": hyperbolic.acosh,
    "arcsin": elementwise.asin,
    "arcsinh": hyperbolic.asinh,
    "arctan": elementwise.atan,
    "arctanh": hyperbolic.atanh,
    "cbrt": composed.cbrt,
    "ceil": elementwise.ceil,
    "conjugate": complex_numbers.conj,
    "cos": elementwise.cos,
    "cosh": elementwise.cosh,
    "deg2rad": composed.deg2rad,
    "exp": elementwise.exp,
    "expm1": elementwise.expm1,
    "fabs": elementwise.abs,
    "floor": elementwise.floor,
    "log": elementwise.log,
    "log10": composed.log10,
    "log1p": elementwise.log1p,
    "log2": composed.log2,
    "negative": elementwise.negative,
    "positive": identity,
    "rad2deg": composed.rad2deg,
    "reciprocal": elementwise.reciprocal,
    "rint": elementwise.round,
    "sign": elementwise.sign,
    "sin": elementwise.sin,
    "sinh": elementwise.sinh,
    "sqrt": elementwise.sqrt,
    "square": elementwise.square,
    "tan": elementwise.tan,
    "tanh": elementwise.tanh,
    "trunc": composed.trunc,
}
# Computed in the dtype of the operand.
TESTS: Mapping[str, Function] = {
    "invert": logic.not_operator,
    "isfinite": elementwise.is_finite,
    "isinf": elementwise.is_inf,
    "isnan": elementwise.is_nan,
}
BINARY: Mapping[str, Function] = {
    "add": arithmetic.add,
    "arctan2": arithmetic.atan2,
    "bitwise_and": logic.and_operator,
    "bitwise_or": logic.or_operator,
    "bitwise_xor": logic.xor_operator,
    "divide": arithmetic.divide,
    "equal": comparison.equal,
    "floor_divide": arithmetic.floordiv,
    "greater": comparison.greater,
    "greater_equal": comparison.greater_equal,
    "hypot": composed.hypot,
    "left_shift": composed.left_shift,
    "less": comparison.less,
    "less_equal": comparison.less_equal,
    "logaddexp": composed.logaddexp,
    "matmul": array_product,
    "maximum": arithmetic.maximum,
    "minimum": arithmetic.minimum,
    "multiply": arithmetic.multiply,
    "not_equal": comparison.not_equal,
    "power": arithmetic.pow,
    "remainder": arithmetic.floormod,
    "right_shift": composed.right_shift,
    "subtract": arithmetic.subtract,
    "vecdot": composed.vecdot,
}
TRUTHS: Mapping[str, Function] = {
    "logical_and": logic.logical_and,
    "logical_not": logic.logical_not,
    "logical_or": logic.logical_or,
    "logical_xor": logic.logical_xor,
}
# For operands of dtype bool.
_OF_BOOLEANS: Mapping[str, Function] = {
    "add": logic.logical_or,
    "maximum": logic.logical_or,
    "minimum": logic.logical_and,
    "multiply": logic.logical_and,
}
COMPARING = frozenset("equal greater greater_equal less less_equal not_equal".split())
# Further operators, which are not binary or have two results.
OPERATORS = frozenset("absolute divmod invert negative positive".split())
OTHER_NAMES = {
    "true_divide": "divide",
    "mod": "remainder",
    "abs": "absolute",
    "degrees": "rad2deg",
    "radians": "deg2rad",
}


def are_numpy_values(*operands: Any) -> bool:
    """Return whether the operands are NumPy values in the program, or such values and numbers.

    At least one has to be a NumPy value. A tensor of the program is none, but may stand beside an
    array that is written at run time and does not adopt its dtype.
    """
    kinds = [_weak_kind(each) for each in operands]
    if None in kinds and len(kinds) == 2:
        # An array that is written at run time does not adopt the dtype of a tensor of a lower kind.
        array, tensor = sorted(operands, key=_is_own_tensor)
        is_filled = is_weak(array) == NUMPYS and _is_own_tensor(tensor)
        return is_filled and not adoptable(array.dtype.kind, tensor.dtype)
    return NUMPYS in kinds and None not in kinds


def _is_own_tensor(value: Any) -> bool:
    return isinstance(value, SymbolicTensor) and not value.weak and value.dtype.kind in "biuf"


def _weak_kind(value: Any) -> Any:
    """Return NUMPYS for a NumPy value, True for a number or a list of numbers, otherwise None."""
    if isinstance(value, SymbolicTensor):
        return (value.weak or None) if value.dtype.kind in "biufc" else None
    if isinstance(value, (np.ndarray, np.generic)):
        return NUMPYS if value.dtype.kind in "biufc" else None
    if isinstance(value, (list, tuple)):
        return True if not holds_tensors(value) and np.asarray(value).dtype.kind in "biuf" else None
    return True if isinstance(value, (bool, int, float, complex)) else None


def apply_ufunc(ufunc: np.ufunc, *operands: Any, out: np.dtype[Any] | None = None) -> Any:
    """Return the result of a ufunc for arrays, or for tensors that represent them.

    Args:
        ufunc: the function.
        operands: arrays, scalars and numbers, or tensors.
        out: the dtype of the array that receives the result, for `a += b`.

    Raises:
        TypeError: NumPy has no such function for these dtypes, or the array cannot hold the result.
        OverflowError: a number does not fit the dtype of the others.
    """
    operands = tuple(np.asarray(x) if isinstance(x, (list, tuple)) else x for x in operands)
    if ufunc.__name__ in COMPARING:
        operands = comparable(operands)
    if ufunc is np.divmod:
        return apply_ufunc(np.floor_divide, *operands), apply_ufunc(np.remainder, *operands)
    dtypes = ufunc.resolve_dtypes((*map(_loop_dtype, operands), out), casting="same_kind")
    if ufunc.__name__ in COMPARING and dtypes[0].kind == "b":
        dtypes = (np.dtype(np.int8),) * 2  # ops do not order bools
    tensors = [_not_weak(adapted(x, as_dtype(dtype))) for x, dtype in zip(operands, dtypes)]
    name = OTHER_NAMES.get(ufunc.__name__, ufunc.__name__)
    compute = {**UNARY, **TESTS, **BINARY}[name]
    if name in _OF_BOOLEANS and dtypes[0].kind == "b":
        compute = _OF_BOOLEANS[name]
    return as_array_of_program(compute(*tensors))


def as_array_of_program(result: Tensor) -> Any:
    """Return NumPy's result in the program's form: an array, or a NumPy scalar."""
    if result.shape.rank == 0:
        return weakly(result, NUMPYS)
    return ConverterHooks.array(result)


def _loop_dtype(value: Any) -> Any:
    """Return an operand for `ufunc.resolve_dtypes`: its dtype, or the type of a Python number."""
    if isinstance(value, (bool, np.bool)):
        return np.dtype(bool)
    if isinstance(value, (int, float, complex)) and not isinstance(value, np.generic):
        return type(value)
    if isinstance(value, Tensor):
        # A scalar of the program may be a Python number.
        is_number = value.shape.rank == 0 and is_weak(value) != NUMPYS
        kind = {"i": int, "f": float, "c": complex}.get(value.dtype.kind) if is_number else None
        return kind or value.dtype.np_dtype
    return value.dtype


def _not_weak(tensor: Any) -> Any:
    """Return an alias of a tensor that adopts no dtypes."""
    if not is_weak(tensor):
        return tensor
    return TensorAlias(tensor.graph, tensor.node, tensor.index, tensor.spec)


def comparable(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the operands of a comparison, as int64 if an int is outside the other's range."""
    kinds = [to_tensor(x).dtype for x in inputs if not isinstance(x, int)]
    # There is no wider dtype than 64 bits, so for these an int outside the range raises later.
    if len(kinds) != 1 or kinds[0].kind not in "iu" or kinds[0].size > 4:
        return inputs
    bounds = np.iinfo(kinds[0].np_dtype)
    outside = any(isinstance(x, int) and not bounds.min <= x <= bounds.max for x in inputs)
    if not outside:
        return inputs
    return tuple(adapted(x, as_dtype(np.int64)) for x in inputs)
