"""Array and dtype functions of the array API standard: `asarray`, `astype`, `finfo`, ..."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.array_api.functions import check_device, wrapped
from runtime.array_api.names import DTYPES
from runtime.core.dtypes import DType, as_dtype, complex128, float64, int64
from runtime.core.tensor import DEVICE, EagerTensor, SymbolicTensor, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError
from runtime.interop.dlpack import from_dlpack as from_dlpack
from runtime.ops.arrays.shape import shape
from runtime.ops.constant import cast, identity
from runtime.ops.convert import is_tensor_like, to_tensor

_SORT, _ARGSORT = wrapped(np.sort, "sort"), wrapped(np.argsort, "argsort")
_FLIP = wrapped(np.flip, "flip")


def asarray(
    obj: TensorLike,
    /,
    *,
    dtype: DType | None = None,
    device: object = None,
    copy: bool | None = None,
) -> Tensor:
    """Return a tensor; Python numbers are int64, float64 and complex128 by default.

    Args:
        obj: a tensor, array, number, or nested sequences of numbers.
        dtype: the dtype of the result; by default that of `obj`.
        copy: whether the result is a new object even if `obj` is a tensor.

    Raises:
        DTypeError: `obj` cannot be converted to a tensor.

    >>> asarray([1, 2]).dtype, asarray([0.5]).dtype
    (rt.int64, rt.float64)
    """
    check_device(device)
    if is_tensor_like(obj):
        tensor = to_tensor(obj)
        if dtype is not None and tensor.dtype is not as_dtype(dtype):
            return cast(tensor, dtype)
        return identity(tensor) if copy else tensor
    made: Tensor = wrapped(np.array, "asarray")(obj, dtype=dtype)
    return made


def sort(
    x: TensorLike, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Tensor:
    """Return a tensor with the elements along an axis in order; equal ones have no order.

    >>> sort([3, 1, 2], descending=True)
    <rt.Tensor: shape=(3,), dtype=int64, numpy=array([3, 2, 1])>
    """
    found = _SORT(x, axis=axis)
    made: Tensor = _FLIP(found, axis=axis) if descending else found
    return made


def argsort(
    x: TensorLike, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Tensor:
    """Return the indices that sort a tensor along an axis; equal elements keep their order.

    >>> argsort([1, 3, 3], descending=True)
    <rt.Tensor: shape=(3,), dtype=int64, numpy=array([1, 2, 0])>
    """
    if not descending:
        made: Tensor = _ARGSORT(x, axis=axis, stable=True)
        return made
    # The last of equal elements comes first if the order is reversed twice.
    backward = _ARGSORT(_FLIP(x, axis=axis), axis=axis, stable=True)
    size = cast(shape(to_tensor(x))[axis], int64)
    found: Tensor = size - 1 - cast(_FLIP(backward, axis=axis), int64)
    return found


def astype(x: Tensor, dtype: DType, /, *, copy: bool = True, device: object = None) -> Tensor:
    """Return `x` in another dtype, with numbers truncated or rounded as needed; see `rt.cast`.

    Raises:
        DTypeError: `x` is complex, and `dtype` is not.

    >>> astype(asarray([1.7, -1.7]), as_dtype("int32")).numpy().tolist()
    [1, -1]
    """
    check_device(device)
    if x.dtype.is_complex and not as_dtype(dtype).is_complex:
        raise DTypeError(
            f"astype: {x.dtype.name} to {dtype.name} drops the imaginary part: take real(x)"
        )
    found = cast(x, dtype)
    return identity(found) if copy and found is x else found


def can_cast(from_: TensorLike | DType, to: DType, /) -> bool:
    """Return whether a dtype, or the dtype of a tensor, can be promoted to another.

    >>> can_cast("int8", as_dtype("int32")), can_cast("float64", as_dtype("float32"))
    (True, False)
    """
    source = from_.dtype if isinstance(from_, Tensor) else as_dtype(from_)
    return bool(np.can_cast(source.np_dtype, as_dtype(to).np_dtype))


@dataclass(frozen=True)
class FloatInfo:
    """The properties of a dtype of floats."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType


@dataclass(frozen=True)
class IntInfo:
    """The properties of a dtype of integers."""

    bits: int
    max: int
    min: int
    dtype: DType


def finfo(type: DType | Tensor, /) -> FloatInfo:
    """Return the properties of a dtype of floats, or of a complex one's parts; else DTypeError.

    >>> finfo("float32").bits, finfo("float32").eps == 2**-23
    (32, True)
    """
    dtype = _dtype_of(type).real_dtype
    if not dtype.is_floating:
        raise DTypeError(f"finfo describes floats, not {dtype.name}")
    found = np.finfo(dtype.np_dtype)
    eps, smallest = float(found.eps), float(found.smallest_normal)
    return FloatInfo(int(found.bits), eps, float(found.max), float(found.min), smallest, dtype)


def iinfo(type: DType | Tensor, /) -> IntInfo:
    """Return the properties of a dtype of integers; DTypeError for any other dtype.

    >>> iinfo("int8").min, iinfo("int8").max
    (-128, 127)
    """
    dtype = _dtype_of(type)
    if not dtype.is_integer:
        raise DTypeError(f"iinfo describes integers, not {dtype.name}")
    found = np.iinfo(dtype.np_dtype)
    return IntInfo(int(found.bits), int(found.max), int(found.min), dtype)


_KINDS = {
    "bool": lambda dtype: dtype.is_bool,
    "signed integer": lambda dtype: dtype.is_integer and not dtype.is_unsigned,
    "unsigned integer": lambda dtype: dtype.is_unsigned,
    "integral": lambda dtype: dtype.is_integer,
    "real floating": lambda dtype: dtype.is_floating,
    "complex floating": lambda dtype: dtype.is_complex,
    "numeric": lambda dtype: dtype.is_numeric,
}


def isdtype(dtype: DType, kind: DType | str | tuple[DType | str, ...]) -> bool:
    """Return whether a dtype is of a kind, or of one of several kinds.

    Args:
        kind: a dtype, or "bool", "signed integer", "unsigned integer", "integral", "real floating",
            "complex floating", "numeric"; or a tuple of these.

    Raises:
        ArgumentValueError: there is no such kind.

    >>> isdtype(float64, "real floating"), isdtype(float64, ("integral", "bool"))
    (True, False)
    """
    if isinstance(kind, tuple):
        return any(isdtype(dtype, each) for each in kind)
    if isinstance(kind, str):
        if kind not in _KINDS:
            raise ArgumentValueError(
                f"the kind of a dtype must be one of {', '.join(_KINDS)}, not {kind!r}"
            )
        return bool(_KINDS[kind](as_dtype(dtype)))
    return as_dtype(dtype) is as_dtype(kind)


class Info:
    """The capabilities of the namespace, the result of `__array_namespace_info__()`."""

    def capabilities(self) -> dict[str, Any]:
        """Return the optional features of the standard that are supported: all of them."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> str:
        """Return the only device."""
        return DEVICE

    def devices(self) -> list[str]:
        """Return the only device, in a list."""
        return [DEVICE]

    def default_dtypes(self, *, device: object = None) -> dict[str, DType]:
        """Return the dtypes that Python numbers get."""
        check_device(device)
        floats = {"real floating": float64, "complex floating": complex128}
        return {**floats, "integral": int64, "indexing": int64}

    def dtypes(self, *, device: object = None, kind: Any = None) -> dict[str, DType]:
        """Return the dtypes of a kind by name, or all of them."""
        check_device(device)
        found = {name: as_dtype(name) for name in DTYPES.split()}
        return {n: dtype for n, dtype in found.items() if kind is None or isdtype(dtype, kind)}


def __array_namespace_info__() -> Info:
    """Return information about the namespace.

    >>> __array_namespace_info__().capabilities()["max dimensions"]
    64
    """
    return Info()


def _dtype_of(value: Any) -> DType:
    known = isinstance(value, (EagerTensor, SymbolicTensor))
    return value.dtype if known else as_dtype(value)
