"""The types of the functions of the array API standard, by their parameters.

Checkers and editors read them; NumPy's functions, of which these are, say them at run time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

from runtime.core.dtypes import DType, DTypeLike
from runtime.core.tensor import Tensor
from runtime.typing import AxisLike, ShapeLike, TensorLike


class UnaryFunction(Protocol):
    """A function of each element, such as `abs`."""

    def __call__(self, x: TensorLike, /) -> Tensor: ...


class BinaryFunction(Protocol):
    """A function of two elements in the same place, such as `add`."""

    def __call__(self, x1: TensorLike, x2: TensorLike, /) -> Tensor: ...


class ReductionFunction(Protocol):
    """A reduction of all elements along axes, such as `max`."""

    def __call__(
        self, x: TensorLike, /, *, axis: AxisLike | None = None, keepdims: bool = False
    ) -> Tensor: ...


class SumFunction(Protocol):
    """A reduction that may have another dtype, such as `sum`."""

    def __call__(
        self,
        x: TensorLike,
        /,
        *,
        axis: AxisLike | None = None,
        dtype: DTypeLike | None = None,
        keepdims: bool = False,
    ) -> Tensor: ...


class DeviationFunction(Protocol):
    """The functions `std` and `var`."""

    def __call__(
        self,
        x: TensorLike,
        /,
        *,
        axis: AxisLike | None = None,
        correction: float = 0.0,
        keepdims: bool = False,
    ) -> Tensor: ...


class ArgExtremeFunction(Protocol):
    """The functions `argmax` and `argmin`."""

    def __call__(
        self, x: TensorLike, /, *, axis: int | None = None, keepdims: bool = False
    ) -> Tensor: ...


class CumulationFunction(Protocol):
    """The functions `cumulative_sum` and `cumulative_prod`."""

    def __call__(
        self,
        x: TensorLike,
        /,
        *,
        axis: int | None = None,
        dtype: DTypeLike | None = None,
        include_initial: bool = False,
    ) -> Tensor: ...


class DifferenceFunction(Protocol):
    """The function `diff`."""

    def __call__(
        self,
        x: TensorLike,
        /,
        *,
        axis: int = -1,
        n: int = 1,
        prepend: TensorLike = ...,
        append: TensorLike = ...,
    ) -> Tensor: ...


class ClipFunction(Protocol):
    """The function `clip`."""

    def __call__(
        self, x: TensorLike, /, min: TensorLike | None = None, max: TensorLike | None = None
    ) -> Tensor: ...


class RangeFunction(Protocol):
    """The function `arange`."""

    def __call__(
        self,
        start: float,
        /,
        stop: float | None = None,
        step: float = 1,
        *,
        dtype: DTypeLike | None = None,
        device: object = None,
    ) -> Tensor: ...


class LinspaceFunction(Protocol):
    """The function `linspace`."""

    def __call__(
        self,
        start: complex,
        stop: complex,
        /,
        num: int,
        *,
        dtype: DTypeLike | None = None,
        device: object = None,
        endpoint: bool = True,
    ) -> Tensor: ...


class FilledFunction(Protocol):
    """The functions `zeros`, `ones` and `empty`."""

    def __call__(
        self, shape: ShapeLike, *, dtype: DTypeLike | None = None, device: object = None
    ) -> Tensor: ...


class FilledLikeFunction(Protocol):
    """The functions `zeros_like`, `ones_like` and `empty_like`."""

    def __call__(
        self, x: TensorLike, /, *, dtype: DTypeLike | None = None, device: object = None
    ) -> Tensor: ...


class FullFunction(Protocol):
    """The function `full`."""

    def __call__(
        self,
        shape: ShapeLike,
        fill_value: complex,
        *,
        dtype: DTypeLike | None = None,
        device: object = None,
    ) -> Tensor: ...


class FullLikeFunction(Protocol):
    """The function `full_like`."""

    def __call__(
        self,
        x: TensorLike,
        /,
        fill_value: complex,
        *,
        dtype: DTypeLike | None = None,
        device: object = None,
    ) -> Tensor: ...


class EyeFunction(Protocol):
    """The function `eye`."""

    def __call__(
        self,
        n_rows: int,
        n_cols: int | None = None,
        /,
        *,
        k: int = 0,
        dtype: DTypeLike | None = None,
        device: object = None,
    ) -> Tensor: ...


class TriangleFunction(Protocol):
    """The functions `tril` and `triu`."""

    def __call__(self, x: TensorLike, /, *, k: int = 0) -> Tensor: ...


class JoinFunction(Protocol):
    """The function `concat`."""

    def __call__(self, arrays: Sequence[TensorLike], /, *, axis: int | None = 0) -> Tensor: ...


class StackFunction(Protocol):
    """The function `stack`."""

    def __call__(self, arrays: Sequence[TensorLike], /, *, axis: int = 0) -> Tensor: ...


class UnstackFunction(Protocol):
    """The function `unstack`."""

    def __call__(self, x: TensorLike, /, *, axis: int = 0) -> tuple[Tensor, ...]: ...


class SeveralFunction(Protocol):
    """The function `broadcast_arrays`."""

    def __call__(self, *arrays: TensorLike) -> Sequence[Tensor]: ...


class MeshgridFunction(Protocol):
    """The function `meshgrid`."""

    def __call__(
        self, *arrays: TensorLike, indexing: Literal["xy", "ij"] = "xy"
    ) -> Sequence[Tensor]: ...


class WithShapeFunction(Protocol):
    """The function `broadcast_to`."""

    def __call__(self, x: TensorLike, /, shape: ShapeLike) -> Tensor: ...


class ReshapeFunction(Protocol):
    """The function `reshape`."""

    def __call__(
        self, x: TensorLike, /, shape: ShapeLike, *, copy: bool | None = None
    ) -> Tensor: ...


class OfAxisFunction(Protocol):
    """The functions `expand_dims` and `squeeze`."""

    def __call__(self, x: TensorLike, /, axis: int | Sequence[int]) -> Tensor: ...


class FlipFunction(Protocol):
    """The function `flip`."""

    def __call__(self, x: TensorLike, /, *, axis: AxisLike | None = None) -> Tensor: ...


class MoveaxisFunction(Protocol):
    """The function `moveaxis`."""

    def __call__(
        self,
        x: TensorLike,
        source: int | Sequence[int],
        destination: int | Sequence[int],
        /,
    ) -> Tensor: ...


class PermuteFunction(Protocol):
    """The function `permute_dims`."""

    def __call__(self, x: TensorLike, /, axes: Sequence[int]) -> Tensor: ...


class RepeatFunction(Protocol):
    """The function `repeat`."""

    def __call__(
        self, x: TensorLike, repeats: TensorLike, /, *, axis: int | None = None
    ) -> Tensor: ...


class RollFunction(Protocol):
    """The function `roll`."""

    def __call__(
        self, x: TensorLike, /, shift: int | Sequence[int], *, axis: AxisLike | None = None
    ) -> Tensor: ...


class TileFunction(Protocol):
    """The function `tile`."""

    def __call__(self, x: TensorLike, repetitions: ShapeLike, /) -> Tensor: ...


class TakeFunction(Protocol):
    """The function `take`."""

    def __call__(
        self, x: TensorLike, indices: TensorLike, /, *, axis: int | None = None
    ) -> Tensor: ...


class TakeAlongFunction(Protocol):
    """The function `take_along_axis`."""

    def __call__(self, x: TensorLike, indices: TensorLike, /, *, axis: int = -1) -> Tensor: ...


class SearchFunction(Protocol):
    """The function `searchsorted`."""

    def __call__(
        self,
        x1: TensorLike,
        x2: TensorLike,
        /,
        *,
        side: Literal["left", "right"] = "left",
        sorter: TensorLike | None = None,
    ) -> Tensor: ...


class TensordotFunction(Protocol):
    """The function `tensordot`."""

    def __call__(
        self,
        x1: TensorLike,
        x2: TensorLike,
        /,
        *,
        axes: int | tuple[Sequence[int], Sequence[int]] = 2,
    ) -> Tensor: ...


class VecdotFunction(Protocol):
    """The function `vecdot`."""

    def __call__(self, x1: TensorLike, x2: TensorLike, /, *, axis: int = -1) -> Tensor: ...


class WhereFunction(Protocol):
    """The function `where`."""

    def __call__(self, condition: TensorLike, x1: TensorLike, x2: TensorLike, /) -> Tensor: ...


class NonzeroFunction(Protocol):
    """The function `nonzero`."""

    def __call__(self, x: TensorLike, /) -> tuple[Tensor, ...]: ...


class ResultTypeFunction(Protocol):
    """The function `result_type`."""

    def __call__(self, *arrays_and_dtypes: TensorLike | DType) -> DType: ...


# -- linalg ----------------------------------------------------------------------------------------


class EighResult(NamedTuple):
    """The result of `eigh`."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class QRResult(NamedTuple):
    """The result of `qr`."""

    Q: Tensor
    R: Tensor


class SlogdetResult(NamedTuple):
    """The result of `slogdet`."""

    sign: Tensor
    logabsdet: Tensor


class SVDResult(NamedTuple):
    """The result of `svd`."""

    U: Tensor
    S: Tensor
    Vh: Tensor


class CholeskyFunction(Protocol):
    """The function `cholesky`."""

    def __call__(self, x: TensorLike, /, *, upper: bool = False) -> Tensor: ...


class DiagonalFunction(Protocol):
    """The function `diagonal`."""

    def __call__(self, x: TensorLike, /, *, offset: int = 0) -> Tensor: ...


class TraceFunction(Protocol):
    """The function `trace`."""

    def __call__(
        self, x: TensorLike, /, *, offset: int = 0, dtype: DTypeLike | None = None
    ) -> Tensor: ...


class EighFunction(Protocol):
    """The function `eigh`."""

    def __call__(self, x: TensorLike, /) -> EighResult: ...


class MatrixNormFunction(Protocol):
    """The function `matrix_norm`."""

    def __call__(
        self,
        x: TensorLike,
        /,
        *,
        keepdims: bool = False,
        ord: float | Literal["fro", "nuc"] | None = "fro",
    ) -> Tensor: ...


class VectorNormFunction(Protocol):
    """The function `vector_norm`."""

    def __call__(
        self,
        x: TensorLike,
        /,
        *,
        axis: AxisLike | None = None,
        keepdims: bool = False,
        ord: float = 2,
    ) -> Tensor: ...


class MatrixPowerFunction(Protocol):
    """The function `matrix_power`."""

    def __call__(self, x: TensorLike, n: int, /) -> Tensor: ...


class WithToleranceFunction(Protocol):
    """The functions `matrix_rank` and `pinv`."""

    def __call__(self, x: TensorLike, /, *, rtol: TensorLike | None = None) -> Tensor: ...


class QRFunction(Protocol):
    """The function `qr`."""

    def __call__(
        self, x: TensorLike, /, *, mode: Literal["reduced", "complete"] = "reduced"
    ) -> QRResult: ...


class SlogdetFunction(Protocol):
    """The function `slogdet`."""

    def __call__(self, x: TensorLike, /) -> SlogdetResult: ...


class SVDFunction(Protocol):
    """The function `svd`."""

    def __call__(self, x: TensorLike, /, *, full_matrices: bool = True) -> SVDResult: ...


# -- fft -------------------------------------------------------------------------------------------

Norm = Literal["backward", "ortho", "forward"]


class TransformFunction(Protocol):
    """A Fourier transform along one axis, such as `fft`."""

    def __call__(
        self, x: TensorLike, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward"
    ) -> Tensor: ...


class TransformNFunction(Protocol):
    """A Fourier transform along several axes, such as `fftn`."""

    def __call__(
        self,
        x: TensorLike,
        /,
        *,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: Norm = "backward",
    ) -> Tensor: ...


class FrequenciesFunction(Protocol):
    """The functions `fftfreq` and `rfftfreq`."""

    def __call__(self, n: int, /, *, d: float = 1.0, device: object = None) -> Tensor: ...


class ShiftFunction(Protocol):
    """The functions `fftshift` and `ifftshift`."""

    def __call__(self, x: TensorLike, /, *, axes: AxisLike | None = None) -> Tensor: ...
