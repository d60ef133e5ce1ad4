"""The names of the array API standard, version 2024.12, by kind."""

from __future__ import annotations

VERSION = "2024.12"

CONSTANTS = "e inf nan newaxis pi"
DTYPES = """
    bool complex128 complex64 float32 float64 int16 int32 int64 int8 uint16 uint32 uint64 uint8
"""
# Functions that NumPy has under the same name, with the same meaning.
NUMPY_FUNCTIONS = """
    abs acos acosh add all any arange argmax argmin asin asinh atan atan2 atanh
    bitwise_and bitwise_invert bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor
    broadcast_arrays broadcast_to ceil clip concat conj copysign cos cosh count_nonzero
    cumulative_prod cumulative_sum diff divide empty empty_like equal exp expand_dims expm1 eye
    flip floor floor_divide full full_like greater greater_equal hypot imag isfinite isinf isnan
    less less_equal linspace log log10 log1p log2 logaddexp logical_and logical_not logical_or
    logical_xor matmul matrix_transpose max maximum mean meshgrid min minimum moveaxis multiply
    negative nextafter nonzero not_equal ones ones_like permute_dims positive pow prod real
    reciprocal remainder repeat reshape result_type roll round searchsorted sign signbit sin sinh
    sqrt square squeeze stack std subtract sum take take_along_axis tan tanh tensordot tile
    tril triu trunc unique_all unique_counts unique_inverse unique_values unstack var vecdot where
    zeros zeros_like
"""
OWN_FUNCTIONS = """
    argsort asarray astype can_cast finfo from_dlpack iinfo isdtype sort __array_namespace_info__
"""
LINALG = """
    cholesky cross det diagonal eigh eigvalsh inv matmul matrix_norm matrix_power matrix_rank
    matrix_transpose outer pinv qr slogdet solve svd svdvals tensordot trace vecdot vector_norm
"""
FFT = "fft fftfreq fftn fftshift hfft ifft ifftn ifftshift ihfft irfft irfftn rfft rfftfreq rfftn"
