"""What happens when NumPy is handed a symbolic tensor: the op that does the same is recorded.

np.exp(x), np.sum(x, axis=0), np.ones(3) + x

A function NumPy computes in a wider dtype gives that dtype here. Its result, where it is a scalar,
then adapts to the tensors beside it as the NumPy value would: it is weak.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from runtime.context import caller_origin
from runtime.dtypes import as_dtype
from runtime.errors import DTypeError, SymbolicTensorError
from runtime.numpy_arranging import FUNCTIONS, promoted
from runtime.ops import arithmetic, comparison, elementwise, logic
from runtime.ops.constant import identity
from runtime.ops.convert import is_weak, strong_cast, to_tensor
from runtime.ops.linalg import matmul
from runtime.tensor import SymbolicTensor, Tensor

Function = Callable[..., Any]

# Computed in the dtype NumPy gives the result.
UNARY: Mapping[str, Function] = {
    "absolute": elementwise.abs,
    "arccos": elementwise.acos,
    "arcsin": elementwise.asin,
    "arctan": elementwise.atan,
    "ceil": elementwise.ceil,
    "cos": elementwise.cos,
    "cosh": elementwise.cosh,
    "exp": elementwise.exp,
    "expm1": elementwise.expm1,
    "fabs": elementwise.abs,
    "floor": elementwise.floor,
    "log": elementwise.log,
    "log1p": elementwise.log1p,
    "negative": elementwise.negative,
    "positive": identity,
    "reciprocal": elementwise.reciprocal,
    "rint": elementwise.round,
    "sign": elementwise.sign,
    "sin": elementwise.sin,
    "sinh": elementwise.sinh,
    "sqrt": elementwise.sqrt,
    "square": elementwise.square,
    "tan": elementwise.tan,
    "tanh": elementwise.tanh,
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
    "left_shift": logic.left_shift,
    "less": comparison.less,
    "less_equal": comparison.less_equal,
    "matmul": matmul,
    "maximum": arithmetic.maximum,
    "minimum": arithmetic.minimum,
    "multiply": arithmetic.multiply,
    "not_equal": comparison.not_equal,
    "power": arithmetic.pow,
    "remainder": arithmetic.floormod,
    "right_shift": logic.right_shift,
    "subtract": arithmetic.subtract,
}
TRUTHS: Mapping[str, Function] = {
    "logical_and": logic.logical_and,
    "logical_not": logic.logical_not,
    "logical_or": logic.logical_or,
    "logical_xor": logic.logical_xor,
}
REDUCTIONS: Mapping[str, Any] = {
    "add": np.sum,
    "logical_and": np.all,
    "logical_or": np.any,
    "maximum": np.max,
    "minimum": np.min,
    "multiply": np.prod,
}
_OTHER_NAMES = {"true_divide": "divide", "mod": "remainder", "abs": "absolute"}


def array_ufunc(self: SymbolicTensor, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
    """Record what an elementwise function of NumPy does; its `__array_ufunc__`.

    Raises:
        SymbolicTensorError: there is no op for it, or none with these options.
    """
    name = _OTHER_NAMES.get(ufunc.__name__, ufunc.__name__)
    if method == "reduce" and name in REDUCTIONS:
        return array_function(self, REDUCTIONS[name], (), inputs, {"axis": 0, **options})
    if method != "__call__" or options:
        what = f".{method}" if method != "__call__" else f" with {', '.join(options)}="
        raise _no_op(f"np.{ufunc.__name__}{what}", ufunc.__name__)
    result = _computed(ufunc, name, inputs)
    return _as_numpy_value(result, inputs)


def _computed(ufunc: Any, name: str, inputs: tuple[Any, ...]) -> Any:
    if name in UNARY:
        x = to_tensor(inputs[0])
        target = as_dtype(ufunc(np.ones(1, x.dtype.np_dtype)).dtype)
        if name in ("floor", "ceil", "rint") and not target.is_floating:
            return identity(x)
        return UNARY[name](x if target is x.dtype else strong_cast(x, target))
    if name in TESTS:
        return _tested(name, to_tensor(inputs[0]))
    if name in TRUTHS:
        return TRUTHS[name](*(strong_cast(to_tensor(x), as_dtype(bool)) for x in inputs))
    if name in BINARY:
        return _of_two(BINARY[name], inputs)
    raise _no_op(f"np.{ufunc.__name__}", ufunc.__name__)


def _tested(name: str, x: Tensor) -> Any:
    is_exact = name != "invert" and x.dtype.kind in "biu"
    return TESTS[name](strong_cast(x, as_dtype(float)) if is_exact else x)


def _of_two(function: Function, inputs: tuple[Any, ...]) -> Any:
    """Apply an operator as tensors have it, or else as NumPy has it, which promotes."""
    try:
        return function(*inputs)
    except DTypeError:
        return function(*promoted(*inputs))


def array_function(
    self: SymbolicTensor, func: Any, types: Iterable[type], args: Any, kwargs: Any
) -> Any:
    """Record what a function of NumPy does; its `__array_function__`.

    Raises:
        SymbolicTensorError: there is no op for it, or none with these options.
    """
    function = FUNCTIONS.get(func)
    module = func.__module__.replace("numpy", "np", 1)
    name = f"{module}.{func.__name__}"
    if function is None:
        raise _no_op(name, func.__name__)
    given = {key: value for key, value in kwargs.items() if not _left_out(key, value)}
    unknown = [key for key in given if key not in function.__code__.co_varnames]
    if unknown:
        raise _no_op(f"{name} with {', '.join(unknown)}=", func.__name__)
    return _as_numpy_value(function(*args, **given), args)


def _left_out(key: str, value: Any) -> bool:
    """Tell whether an option is one NumPy passes on without having been given it."""
    if value is None or value is np._NoValue:
        return key in ("out", "where", "initial", "keepdims", "dtype", "kind", "order")
    if key in ("where", "subok"):
        return value is True  # It may be a tensor, which has no truth value.
    return key == "order" and value == "C"


def _as_numpy_value(result: Any, given: Any) -> Any:
    """Let a scalar that NumPy made wider than its operands adapt to them, as NumPy's would."""
    if not isinstance(result, SymbolicTensor) or result.shape.rank != 0 or is_weak(result):
        return result
    operands = [x for x in _tensors_in(given) if not is_weak(x)]
    if result.dtype.size < 8 or result.dtype in {x.dtype for x in operands}:
        return result
    result.weak = True
    return result


def _tensors_in(values: Any) -> list[SymbolicTensor]:
    found: list[SymbolicTensor] = []
    for value in values:
        if isinstance(value, SymbolicTensor):
            found.append(value)
        elif isinstance(value, (list, tuple)):
            found += _tensors_in(value)
    return found


def _no_op(what: str, name: str) -> SymbolicTensorError:
    return SymbolicTensorError(
        f"{what} has no op to become in a graph: write it with rt ops, or wrap the call as "
        f"rt.numpy_function(np.{name}, [x], dtype)",
        caller_origin(),
    )


SymbolicTensor.__array_ufunc__ = array_ufunc  # type: ignore[attr-defined]
SymbolicTensor.__array_function__ = array_function  # type: ignore[attr-defined]
