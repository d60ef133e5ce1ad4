"""Ops on variables: reads and assignments through a handle, in a run the variable itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec, Protocol, TypeAlias

import numpy as np

from runtime.core.context import current_recorder
from runtime.core.device_tensor import DeviceTensor
from runtime.core.dtypes import DType
from runtime.core.fork_safety import fork_safe_lock
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, EagerTensor
from runtime.errors import DTypeError, ShapeError, with_article
from runtime.ops.op import Op, OpaqueValue, define, run_kernel


class VariableStorage(Protocol):
    """The storage behind a variable handle."""

    _array: Array

    def store(self, array: Array) -> None:
        """Replace the value; ShapeError when the variable may not have this shape."""


class HandleSpec(TensorSpec):
    """The spec of a graph input for a variable: the shape and dtype of its value."""

    __slots__ = ()

    kind = "variable"


Combine: TypeAlias = Callable[[Array, Array], Array]
Given = ParamSpec("Given")

# Held by kernels that change variables.
CHANGING = fork_safe_lock()


def locked(kernel: Callable[Given, Any]) -> Callable[Given, Any]:
    """Return a kernel that holds a lock: one thread at a time changes variables.

    Else an `assign_add` of another thread could be lost. Such kernels call no user code.
    """

    @wraps(kernel)
    def alone(*args: Given.args, **kwargs: Given.kwargs) -> Any:
        with CHANGING:
            return kernel(*args, **kwargs)

    return alone


def _assign_kernel(combine: Combine) -> Callable[[VariableStorage, Array], tuple[()]]:
    @locked
    def assign(handle: VariableStorage, value: Array) -> tuple[()]:
        # The old value is only read if it is needed: an initial value has none. NumPy turns arrays
        # without axes into scalars, which are converted back.
        handle.store(value if combine is _replace else np.asarray(combine(handle._array, value)))
        return ()

    return assign


def _read_infer(handle: TensorSpec) -> TensorSpec:
    return TensorSpec(handle.shape, handle.dtype)


def _assign_infer(handle: TensorSpec, value: TensorSpec) -> tuple[()]:
    if handle.dtype is not value.dtype:
        found, wanted = with_article(value.dtype.name), with_article(handle.dtype.name)
        raise DTypeError(
            f"{found} cannot go into {wanted} variable: write rt.cast(x, rt.{handle.dtype.name})"
        )
    if not handle.shape.is_compatible_with(value.shape):
        raise ShapeError(f"shape {value.shape} cannot go into a variable of shape {handle.shape}")
    return ()


# The advice for dtypes without addition or subtraction, by kind.
_NO_SUM = {"b": "v.assign(rt.logical_or(v, x))"}
_NO_DIFFERENCE = {
    "b": "v.assign(rt.logical_xor(v, x))",
    "O": "v.assign(rt.strings.regex_replace(v, pattern, ''))",
}


def _same_shape(combine: Combine) -> Combine:
    """Return a combination that requires a delta of the shape of the variable."""

    def combined(old: Array, delta: Array) -> Array:
        if old.shape != delta.shape:
            raise ShapeError(f"shape {delta.shape} does not fit a variable of shape {old.shape}")
        return combine(old, delta)

    return combined


def _check_kind(dtype: DType, refused: Mapping[str, str]) -> None:
    """Raise DTypeError for a variable whose dtype has no such arithmetic."""
    if dtype.kind in refused:
        done = "added to" if refused is _NO_SUM else "subtracted from"
        raise DTypeError(
            f"{with_article(dtype.name)} variable cannot be {done}: write {refused[dtype.kind]}"
        )


def _numbers_infer(refused: Mapping[str, str]) -> Callable[[TensorSpec, TensorSpec], tuple[()]]:
    def infer(handle: TensorSpec, value: TensorSpec) -> tuple[()]:
        _check_kind(handle.dtype, refused)
        return _assign_infer(handle, value)

    return infer


def _define_assign(
    name: str, combine: Combine, tensorflow_name: str, infer: Callable[..., Any] = _assign_infer
) -> Op:
    return define(
        f"{name}_variable",
        _assign_kernel(combine),
        infer,
        effects="write",
        tensorflow_name=tensorflow_name,
        n_outputs=0,
    )


def _replace(old: Array, new: Array) -> Array:
    return new


def _read_kernel(handle: Any) -> Array:
    array: Array = handle._array
    return array


class OwnVariable(OpaqueValue):
    """A variable that a run of a graph creates, and only that run uses."""

    __slots__ = ("_array",)

    def __init__(self, array: Array) -> None:
        self._array = array

    def store(self, array: Array) -> None:
        """Replace the value."""
        self._array = array


def _new_infer(first: TensorSpec, *, shape: tuple[int | None, ...] | None) -> TensorSpec:
    return HandleSpec(TensorShape(shape), first.dtype)


NEW_VARIABLE = define(
    "new_variable",
    lambda first, *, shape: OwnVariable(first),
    _new_infer,
    grad=lambda dys, outputs, inputs, *, shape: (None,),
    effects="write",
)

READ_VARIABLE = define(
    "read_variable",
    _read_kernel,
    _read_infer,
    grad=lambda dys, outputs, inputs: dys,
    effects="read",
    tensorflow_name="ReadVariableOp",
)
ASSIGN_VARIABLE = _define_assign("assign", _replace, "AssignVariableOp")
ASSIGN_ADD_VARIABLE = _define_assign(
    "assign_add", _same_shape(np.add), "AssignAddVariableOp", _numbers_infer(_NO_SUM)
)
ASSIGN_SUB_VARIABLE = _define_assign(
    "assign_sub",
    _same_shape(np.subtract),
    "AssignSubVariableOp",
    _numbers_infer(_NO_DIFFERENCE),
)


def written_at_once(op: Op, variable: Any, value: Any) -> bool:
    """Write an eager tensor of the variable's dtype and shape; False if the value must be checked.

    Args:
        op: one of the assigning ops above.
        variable: the variable.
        value: the value to assign, add or subtract.
    """
    kind = type(value)
    if (kind is not EagerTensor and kind is not DeviceTensor) or current_recorder() is not None:
        return False
    held, array = vars(variable).get("_array"), value._array
    if held is None or array.dtype is not held.dtype or array.shape != held.shape:
        return False
    if array.dtype.kind in _NO_DIFFERENCE and op is not ASSIGN_VARIABLE:
        return False
    run_kernel(op, (variable, array), {})
    return True
