"""Calls of Python functions in graphs: `py_function` and `numpy_function`.

In a graph each is a node that runs on every call, in program order.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from runtime.core.argument_checks import function, listed
from runtime.core.context import recording
from runtime.core.dtypes import DType, DTypeLike, as_dtype
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, EagerTensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError
from runtime.ops.convert import to_tensor
from runtime.ops.op import apply, define

Dtypes: TypeAlias = DType | tuple[DType, ...]
Caller: TypeAlias = "Callable[[Sequence[Array]], Any]"


@dataclass(eq=False, repr=False)
class PythonCall:
    """A Python function that a node calls, with tensors or with arrays."""

    function: Callable[..., Any]
    with_arrays: bool

    def __call__(self, arrays: Sequence[Array]) -> Any:
        # The identities of the operands, by which tapes know the function's arguments.
        tensors = map(EagerTensor.over, arrays)
        with recording(None):
            if self.with_arrays:
                return self.function(*(tensor.numpy() for tensor in tensors))
            return self.function(*tensors)

    def __str__(self) -> str:
        return getattr(self.function, "__name__", type(self.function).__name__)


def py_function(
    func: Callable[..., object] | None = None,
    inp: Sequence[TensorLike] | None = None,
    Tout: DTypeLike | Sequence[DTypeLike] | None = None,
    name: str | None = None,
) -> Any:
    """Call a Python function with eager tensors, in a graph each time this point is reached.

    Args:
        func: takes as many tensors as there are in `inp`; its errors propagate unchanged. Without
            it a decorator is returned, whose function takes the tensors themselves.
        inp: values that can be converted to tensors.
        Tout: the dtype of its result, or a list of dtypes for a sequence of results.

    Returns:
        A tensor, or a list of tensors if `Tout` is a list (None if it is empty). In a graph their
        shapes are unknown. Gradients flow through the ops that `func` applies to its arguments.

    >>> from runtime.ops.constant import constant
    >>> py_function(lambda x: x + 1, [constant(2)], "int32")
    <rt.Tensor: shape=(), dtype=int32, numpy=3>
    >>> @py_function(Tout="int32")
    ... def doubled(x):
    ...     return 2 * x
    >>> doubled(constant(2))
    <rt.Tensor: shape=(), dtype=int32, numpy=4>
    """
    return _called_or_decorator(func, inp, Tout, with_arrays=False)


def numpy_function(
    func: Callable[..., object] | None = None,
    inp: Sequence[TensorLike] | None = None,
    Tout: DTypeLike | Sequence[DTypeLike] | None = None,
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """Call a Python function with NumPy arrays; otherwise like `py_function`.

    It has no gradient, since NumPy's computations are not recorded. It is called each time, with or
    without `stateful`.

    >>> import numpy as np
    >>> numpy_function(np.cumsum, [[1, 2, 3]], "int64").numpy().tolist()
    [1, 3, 6]
    """
    return _called_or_decorator(func, inp, Tout, with_arrays=True)


def _called_or_decorator(func: Any, inp: Any, Tout: Any, with_arrays: bool) -> Any:
    if Tout is None:
        raise DTypeError("give Tout, the dtype of the result or a list of dtypes")
    if func is not None:
        return _call(PythonCall(function(func, "func"), with_arrays=with_arrays), inp, Tout)
    if inp is not None:
        raise ArgumentValueError("inp is given without func: give the function too")

    def decorator(func: Callable[..., Any]) -> Callable[..., Any]:
        called = PythonCall(function(func, "func"), with_arrays=with_arrays)

        @functools.wraps(func)
        def decorated(*inp: Any) -> Any:
            return _call(called, inp, Tout)

        return decorated

    return decorator


def _call(function: PythonCall, inp: Sequence[Any], Tout: Any) -> Any:
    one = not isinstance(Tout, (list, tuple))
    dtypes: Dtypes = as_dtype(Tout) if one else tuple(map(as_dtype, Tout))
    inputs = [to_tensor(value) for value in listed(inp, "inp")]
    results = apply(PY_FUNCTION, inputs, function=function, Tout=dtypes)
    return results[0] if one else list(results) or None


def _call_kernel(*arrays: Array, function: Caller, Tout: Dtypes) -> tuple[Array, ...]:
    tensors = results_of(function, arrays, _dtype_list(Tout), isinstance(Tout, DType))
    return tuple(tensor._array for tensor in tensors)


def results_of(
    function: Caller, arrays: Sequence[Array], dtypes: Sequence[DType], is_one: bool
) -> list[Any]:
    """Call a function, and return its results as eager tensors of the declared dtypes.

    Args:
        is_one: whether it returns one result, not a sequence.

    Raises:
        ArgumentValueError: there are more or fewer results than dtypes.
    """
    result = function(arrays)
    results = [result] if is_one else _as_list(result)
    if len(results) != len(dtypes):
        wanted = ", ".join(dtype.name for dtype in dtypes) or "nothing"
        raise ArgumentValueError(
            f"{function} returned {len(results)} results, but Tout is {wanted}"
        )
    with recording(None):
        return [to_tensor(value, dtype) for value, dtype in zip(results, dtypes)]


def _as_list(result: Any) -> list[Any]:
    if result is None:
        return []
    return list(result) if isinstance(result, (list, tuple)) else [result]


def _dtype_list(Tout: Dtypes) -> tuple[DType, ...]:
    return (Tout,) if isinstance(Tout, DType) else Tout


def _call_infer(*specs: TensorSpec, function: Caller, Tout: Dtypes) -> tuple[TensorSpec, ...]:
    return tuple(TensorSpec(None, dtype) for dtype in _dtype_list(Tout))


PY_FUNCTION = define(
    "py_function",
    _call_kernel,
    _call_infer,
    effects="io",
    tensorflow_name="EagerPyFunc",
    n_outputs=None,
    kernel_runs_ops=True,
)
