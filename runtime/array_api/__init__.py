"""The array API standard for tensors, the namespace `x.__array_namespace__()`.

    xp = x.__array_namespace__()
    xp.sum(x, axis=0)

Eager calls are computed by NumPy, with its dtypes; in a graph, or for a tensor that a tape
watches, the corresponding op is recorded, if there is one. Operators on tensors of different
dtypes raise, as everywhere in this library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.array_api import dtype_functions
from runtime.array_api import fft as fft
from runtime.array_api import linalg as linalg
from runtime.array_api.functions import check_device, wrapped
from runtime.array_api.names import CONSTANTS, DTYPES, NUMPY_FUNCTIONS, OWN_FUNCTIONS, VERSION
from runtime.core.dtypes import as_dtype
from runtime.errors import ArgumentValueError

__array_api_version__ = VERSION


def namespace_of(self: Any, *, api_version: str | None = None) -> Any:
    """Return this namespace; ArgumentValueError for an unknown version of the standard."""
    if api_version not in (None, "2021.12", "2022.12", "2023.12", VERSION):
        raise ArgumentValueError(f"api_version must be at most {VERSION}, not {api_version!r}")
    return _NAMESPACE


def to_device(self: Any, device: Any, /, *, stream: Any = None) -> Any:
    """Return the tensor; ArgumentValueError for any other device than its own."""
    check_device(device)
    return self


class _Namespace:
    """The namespace as one object: its names are those of the standard, including `bool`."""

    def __init__(self) -> None:
        functions = {name: wrapped(getattr(np, name), name) for name in NUMPY_FUNCTIONS.split()}
        constants = {name: getattr(np, name) for name in CONSTANTS.split()}
        dtypes = {name: as_dtype(name) for name in DTYPES.split()}
        own = {name: getattr(dtype_functions, name) for name in OWN_FUNCTIONS.split()}
        vars(self).update(functions, **constants, **dtypes, **own, linalg=linalg, fft=fft)
        self.__array_api_version__ = VERSION

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the array API of version {VERSION} has no {name!r}")

    def __repr__(self) -> str:
        return "<namespace runtime.array_api>"


_NAMESPACE = _Namespace()
__all__ = sorted(name for name in vars(_NAMESPACE))
globals().update(vars(_NAMESPACE))


def __dir__() -> list[str]:
    return __all__


if TYPE_CHECKING:
    from runtime.array_api import signatures as of
    from runtime.array_api.dtype_functions import (
        __array_namespace_info__ as __array_namespace_info__,
    )
    from runtime.array_api.dtype_functions import argsort as argsort
    from runtime.array_api.dtype_functions import asarray as asarray
    from runtime.array_api.dtype_functions import astype as astype
    from runtime.array_api.dtype_functions import can_cast as can_cast
    from runtime.array_api.dtype_functions import finfo as finfo
    from runtime.array_api.dtype_functions import from_dlpack as from_dlpack
    from runtime.array_api.dtype_functions import iinfo as iinfo
    from runtime.array_api.dtype_functions import isdtype as isdtype
    from runtime.array_api.dtype_functions import sort as sort
    from runtime.core.dtypes import DType

    e: float
    inf: float
    nan: float
    pi: float
    newaxis: None
    bool: DType
    complex128: DType
    complex64: DType
    float32: DType
    float64: DType
    int16: DType
    int32: DType
    int64: DType
    int8: DType
    uint16: DType
    uint32: DType
    uint64: DType
    uint8: DType
    abs: of.UnaryFunction
    acos: of.UnaryFunction
    acosh: of.UnaryFunction
    add: of.BinaryFunction
    all: of.ReductionFunction
    any: of.ReductionFunction
    arange: of.RangeFunction
    argmax: of.ArgExtremeFunction
    argmin: of.ArgExtremeFunction
    asin: of.UnaryFunction
    asinh: of.UnaryFunction
    atan: of.UnaryFunction
    atan2: of.BinaryFunction
    atanh: of.UnaryFunction
    bitwise_and: of.BinaryFunction
    bitwise_invert: of.UnaryFunction
    bitwise_left_shift: of.BinaryFunction
    bitwise_or: of.BinaryFunction
    bitwise_right_shift: of.BinaryFunction
    bitwise_xor: of.BinaryFunction
    broadcast_arrays: of.SeveralFunction
    broadcast_to: of.WithShapeFunction
    ceil: of.UnaryFunction
    clip: of.ClipFunction
    concat: of.JoinFunction
    conj: of.UnaryFunction
    copysign: of.BinaryFunction
    cos: of.UnaryFunction
    cosh: of.UnaryFunction
    count_nonzero: of.ReductionFunction
    cumulative_prod: of.CumulationFunction
    cumulative_sum: of.CumulationFunction
    diff: of.DifferenceFunction
    divide: of.BinaryFunction
    empty: of.FilledFunction
    empty_like: of.FilledLikeFunction
    equal: of.BinaryFunction
    exp: of.UnaryFunction
    expand_dims: of.OfAxisFunction
    expm1: of.UnaryFunction
    eye: of.EyeFunction
    flip: of.FlipFunction
    floor: of.UnaryFunction
    floor_divide: of.BinaryFunction
    full: of.FullFunction
    full_like: of.FullLikeFunction
    greater: of.BinaryFunction
    greater_equal: of.BinaryFunction
    hypot: of.BinaryFunction
    imag: of.UnaryFunction
    isfinite: of.UnaryFunction
    isinf: of.UnaryFunction
    isnan: of.UnaryFunction
    less: of.BinaryFunction
    less_equal: of.BinaryFunction
    linspace: of.LinspaceFunction
    log: of.UnaryFunction
    log10: of.UnaryFunction
    log1p: of.UnaryFunction
    log2: of.UnaryFunction
    logaddexp: of.BinaryFunction
    logical_and: of.BinaryFunction
    logical_not: of.UnaryFunction
    logical_or: of.BinaryFunction
    logical_xor: of.BinaryFunction
    matmul: of.BinaryFunction
    matrix_transpose: of.UnaryFunction
    max: of.ReductionFunction
    maximum: of.BinaryFunction
    mean: of.ReductionFunction
    meshgrid: of.MeshgridFunction
    min: of.ReductionFunction
    minimum: of.BinaryFunction
    moveaxis: of.MoveaxisFunction
    multiply: of.BinaryFunction
    negative: of.UnaryFunction
    nextafter: of.BinaryFunction
    nonzero: of.NonzeroFunction
    not_equal: of.BinaryFunction
    ones: of.FilledFunction
    ones_like: of.FilledLikeFunction
    permute_dims: of.PermuteFunction
    positive: of.UnaryFunction
    pow: of.BinaryFunction
    prod: of.SumFunction
    real: of.UnaryFunction
    reciprocal: of.UnaryFunction
    remainder: of.BinaryFunction
    repeat: of.RepeatFunction
    reshape: of.ReshapeFunction
    result_type: of.ResultTypeFunction
    roll: of.RollFunction
    round: of.UnaryFunction
    searchsorted: of.SearchFunction
    sign: of.UnaryFunction
    signbit: of.UnaryFunction
    sin: of.UnaryFunction
    sinh: of.UnaryFunction
    sqrt: of.UnaryFunction
    square: of.UnaryFunction
    squeeze: of.OfAxisFunction
    stack: of.StackFunction
    std: of.DeviationFunction
    subtract: of.BinaryFunction
    sum: of.SumFunction
    take: of.TakeFunction
    take_along_axis: of.TakeAlongFunction
    tan: of.UnaryFunction
    tanh: of.UnaryFunction
    tensordot: of.TensordotFunction
    tile: of.TileFunction
    tril: of.TriangleFunction
    triu: of.TriangleFunction
    trunc: of.UnaryFunction
    unique_all: of.NonzeroFunction
    unique_counts: of.NonzeroFunction
    unique_inverse: of.NonzeroFunction
    unique_values: of.UnaryFunction
    unstack: of.UnstackFunction
    var: of.DeviationFunction
    vecdot: of.VecdotFunction
    where: of.WhereFunction
    zeros: of.FilledFunction
    zeros_like: of.FilledLikeFunction
