"""NumPy's dispatch protocols: a call with a symbolic tensor records the corresponding op.

np.exp(x), np.sum(x, axis=0), np.ones(3) + x

If NumPy computes a function in a wider dtype, its result here has that dtype, too. A scalar result
is weak: it adapts to the tensors beside it as the NumPy value would.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

import numpy as np

from runtime.core.context import caller_origin
from runtime.core.dtypes import as_dtype
from runtime.core.lazy_imports import lazy_import
from runtime.core.tensor import SymbolicTensor, Tensor
from runtime.errors import DTypeError, SymbolicTensorError
from runtime.interop.numpy import creation as creation
from runtime.interop.numpy import fourier as fourier
from runtime.interop.numpy import manipulation as manipulation
from runtime.interop.numpy import matrices as matrices
from runtime.interop.numpy import statistics as statistics
from runtime.interop.numpy.conversion import numpy_dtype, promoted, tensor_of
from runtime.interop.numpy.functions import FUNCTIONS
from runtime.interop.numpy.ufuncs import (
    BINARY,
    COMPARING,
    OPERATORS,
    OTHER_NAMES,
    TESTS,
    TRUTHS,
    UNARY,
    apply_ufunc,
    are_numpy_values,
    comparable,
)
from runtime.ops.arrays.concatenation import concat
from runtime.ops.arrays.shape import reshape, shape
from runtime.ops.constant import identity
from runtime.ops.convert import (
    NUMPYS,
    is_weak,
    strong_cast,
    to_tensor,
    weakly,
)

arguments_of = lazy_import("runtime.diagnostics.operand_names:arguments_of")

Function = Callable[..., Any]

REDUCTIONS: Mapping[str, Any] = {
    "add": np.sum,
    "logical_and": np.all,
    "logical_or": np.any,
    "maximum": np.max,
    "minimum": np.min,
    "multiply": np.prod,
}
ACCUMULATIONS: Mapping[str, Any] = {"add": np.cumsum, "multiply": np.cumprod}
# Values with a dtype of their own in NumPy.
_ARRAYS = (list, tuple, np.ndarray, np.generic)
# Methods of arrays that change them.
_CHANGING = frozenset("fill itemset partition put resize setfield sort".split())
# Functions that change their first argument, an array.
_CHANGING_FIRST = (np.copyto, np.fill_diagonal, np.place, np.put, np.put_along_axis, np.putmask)
_KNOWN_LATER = (
    "a value that is known only when the graph runs, which it cannot hold: make it a tensor first, "
    "as in z = rt.constant(z), and assign the variable anew, as in z = z + x"
)


def recorded_call(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """Record a NumPy function with a symbolic tensor as an argument or in a list.

    >>> recorded_call(np.zeros, (2,), {})
    <rt.Tensor: shape=(2,), dtype=float64, numpy=array([0., 0.])>

    Raises:
        SymbolicTensorError: there is no op for it, or none with these options; the message names
            the function.
    """
    owner = getattr(function, "__self__", None)
    if isinstance(function, np.ufunc):
        # Python's operators take another path, on which an array adopts a tensor's dtype.
        args = tuple(tensor_of(x) if isinstance(x, _ARRAYS) else x for x in args)
        return array_ufunc(None, function, "__call__", *args, **kwargs)
    if isinstance(owner, np.ufunc):
        return array_ufunc(None, owner, function.__name__, *args, **kwargs)
    if isinstance(owner, np.ndarray):
        return _array_method(owner, function.__name__, args, kwargs)
    if function in _CHANGING_FIRST and args and isinstance(args[0], np.ndarray):
        raise SymbolicTensorError(
            f"a NumPy array is changed by {name_of(function)} with {_KNOWN_LATER}", caller_origin()
        )
    if isinstance(function, Hashable) and function in FUNCTIONS:
        return array_function(None, function, (), args, kwargs)
    try:
        return function(*args, **kwargs)
    except (TypeError, ValueError) as error:
        if not isinstance(error, SymbolicTensorError) and any(map(callable, args)):
            raise
        raise _missing_op(name_of(function)) from None


def _array_method(array: Any, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    if name in _CHANGING:
        raise SymbolicTensorError(
            f"a NumPy array is changed by its .{name}() with {_KNOWN_LATER}", caller_origin()
        )
    function = getattr(np, name, None)
    if function is None or function not in FUNCTIONS:
        raise _missing_op(f"the method .{name}() of a NumPy array", "method")
    return array_function(None, function, (), (to_tensor(array), *args), kwargs)


def scalar_method(scalar: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    """Return the result of a method of a NumPy scalar, which the graph computes."""
    if name in ("item", "tolist"):
        return weakly(identity(scalar), True)
    if name in ("astype", "copy"):
        dtype = as_dtype(np.dtype(*args, **kwargs)) if name == "astype" else scalar.dtype
        return weakly(identity(strong_cast(scalar, dtype)), NUMPYS)
    return weakly(recorded_call(getattr(np, name), (scalar, *args), kwargs), NUMPYS)


def name_of(function: Any) -> str:
    """Return a NumPy function's public name.

    >>> name_of(np.fft.fft), name_of(np.vectorize(abs))
    ('np.fft.fft', 'np.vectorize(abs)')
    """
    if isinstance(function, np.vectorize):
        return f"np.vectorize({getattr(function.pyfunc, '__name__', 'function')})"
    owner = getattr(function, "__self__", None)
    if isinstance(owner, np.random.RandomState):
        return f"np.random.{function.__name__}"
    if isinstance(owner, np.random.Generator):
        return f"np.random.Generator.{function.__name__}"
    module = str(getattr(function, "__module__", None) or "numpy")
    # For a function in a private NumPy module this is the public part of its path.
    module = module.partition("._")[0]
    return f"{module.replace('numpy', 'np', 1)}.{getattr(function, '__name__', function)}"


def array_ufunc(self: Any, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
    """Record an elementwise function of NumPy; this is a tensor's `__array_ufunc__`.

    Raises:
        SymbolicTensorError: there is no op for it, or none with these options.
    """
    name = OTHER_NAMES.get(ufunc.__name__, ufunc.__name__)
    if isinstance(_first_of_tuple(options.get("out")), np.ndarray):
        raise SymbolicTensorError(
            f"a NumPy array is changed by np.{ufunc.__name__} with {_KNOWN_LATER}",
            caller_origin(),
        )
    if method == "reduce" and name in REDUCTIONS:
        return array_function(self, REDUCTIONS[name], (), inputs, {"axis": 0, **options})
    if method == "accumulate" and name in ACCUMULATIONS:
        return array_function(self, ACCUMULATIONS[name], (), inputs, {"axis": 0, **options})
    if method == "outer" and not options:
        x, y = map(tensor_of, inputs)
        grown = reshape(x, concat([shape(x), [1] * len(y.shape)], 0))
        return array_ufunc(self, ufunc, "__call__", grown, y)
    if method == "__call__" and list(options) == ["dtype"]:
        dtype = numpy_dtype(options.pop("dtype"))
        inputs = tuple(strong_cast(tensor_of(each), dtype) for each in inputs)
    if method != "__call__" or options:
        what = f".{method}" if method != "__call__" else f" with {', '.join(options)}="
        name = ufunc.__name__ + (what if method != "__call__" else "")
        raise _missing_op(f"np.{ufunc.__name__}{what}", f"np.{name}")
    inputs = tuple(tensor_of(x) if isinstance(x, (list, tuple)) else x for x in inputs)
    result = _compute_ufunc(ufunc, name, inputs)
    return as_numpy_value(result, inputs)


def _first_of_tuple(values: Any) -> Any:
    return values[0] if isinstance(values, tuple) and values else values


def _compute_ufunc(ufunc: Any, name: str, inputs: tuple[Any, ...]) -> Any:
    if (name in BINARY or name in OPERATORS) and are_numpy_values(*inputs):
        return apply_ufunc(ufunc, *inputs)
    if name in UNARY:
        x = to_tensor(inputs[0])
        with np.errstate(all="ignore"):
            target = as_dtype(ufunc(np.ones(1, x.dtype.np_dtype)).dtype)
        if name in ("floor", "ceil", "rint", "trunc") and not target.is_floating:
            return identity(x)
        return UNARY[name](x if target is x.dtype else strong_cast(x, target))
    if name in TESTS:
        return _predicate(name, to_tensor(inputs[0]))
    if name in TRUTHS:
        return TRUTHS[name](*(strong_cast(to_tensor(x), as_dtype(bool)) for x in inputs))
    if name in BINARY:
        return _binary(BINARY[name], comparable(inputs) if name in COMPARING else inputs)
    raise _missing_op(f"np.{ufunc.__name__}")


def _predicate(name: str, x: Tensor) -> Any:
    is_exact = name != "invert" and x.dtype.kind in "biu"
    return TESTS[name](strong_cast(x, as_dtype(float)) if is_exact else x)


def _binary(function: Function, inputs: tuple[Any, ...]) -> Any:
    """Apply an operator to tensors; if their dtypes differ, promote them as NumPy does.

    An array among the inputs means that a Python operator dispatched here: it does not promote.
    """
    try:
        return function(*inputs)
    except DTypeError:
        if any(isinstance(x, (np.ndarray, np.generic)) for x in inputs):
            raise
        return function(*promoted(*inputs))


def array_function(self: Any, func: Any, types: Iterable[type], args: Any, kwargs: Any) -> Any:
    """Record a function of NumPy; this is a tensor's `__array_function__`.

    Raises:
        SymbolicTensorError: there is no op for it, or none with these options.
    """
    function, name = FUNCTIONS.get(func), name_of(func)
    if function is None:
        raise _missing_op(name)
    given = {key: value for key, value in kwargs.items() if not _is_numpy_default(key, value)}
    unknown = [key for key in given if key not in function.__code__.co_varnames]
    if unknown:
        raise _missing_op(f"{name} with {', '.join(unknown)}=", name)
    try:
        return as_numpy_value(function(*args, **given), args)
    except SymbolicTensorError as error:
        if error.message.startswith("np."):
            raise
        raise SymbolicTensorError(f"{name}: {error.message}", caller_origin()) from error


def _is_numpy_default(key: str, value: Any) -> bool:
    """Return whether NumPy passed on the default of an option."""
    if value is None or value is np._NoValue:
        return key in ("out", "where", "initial", "keepdims", "dtype", "kind", "order")
    if key in ("where", "subok"):
        return value is True  # It may be a tensor, which has no truth value.
    return key == "order" and value in ("C", "K", "A")


def as_numpy_value(result: Any, given: Any) -> Any:
    """Make a scalar weak if NumPy made it wider than its operands: then it adapts as in NumPy."""
    if not isinstance(result, SymbolicTensor) or result.shape.rank != 0 or is_weak(result):
        return result
    operands = [x for x in _tensors_in(given) if not is_weak(x)]
    if result.dtype.size < 8 or result.dtype in {x.dtype for x in operands}:
        return result
    result.weak = NUMPYS
    return result


def of_array(result: Any) -> Any:
    """Make an element of a NumPy array weak, so that it adopts the dtypes of tensors beside it."""
    return weakly(result, NUMPYS)


def _tensors_in(values: Any) -> list[SymbolicTensor]:
    found: list[SymbolicTensor] = []
    for value in values:
        if isinstance(value, SymbolicTensor):
            found.append(value)
        elif isinstance(value, (list, tuple)):
            found += _tensors_in(value)
    return found


def _missing_op(what: str, name: str | None = None) -> SymbolicTensorError:
    given = ", ".join(arguments_of((name or what).rpartition(".")[2]) or ["x"])
    call = f"rt.numpy_function({name or what}, [{given}], dtype)"
    instead = f"write it with rt ops, or wrap the call as {call}"
    if what.startswith("np.random."):
        instead = "draw with rt.random, which draws each time the graph runs"
    return SymbolicTensorError(f"{what} has no op in a graph: {instead}", caller_origin())
