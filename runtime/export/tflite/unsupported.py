"""Ops without a form in TensorFlow Lite models, with the reasons; ops that do not keep NaN."""

from __future__ import annotations

from types import MappingProxyType

from runtime.export.graphdef.rules.unsupported import UNSUPPORTED as NOT_IN_GRAPHDEFS

_NO_KERNEL = "LiteRT has no kernel that computes it"
_NO_TEXT = "LiteRT does not compute with texts"
_NO_COMPLEX = "LiteRT does not compute with complex numbers"
_NO_FACTORS = "LiteRT has no kernel for factors of matrices"
_NO_RANDOM = "LiteRT draws other random numbers"
_GRADIENT_STEP = "it is a step of a gradient: export the model, not its training"
_ADDED_UP = "LiteRT adds up several updates of one place"
_ENDS = "LiteRT's kernel for it fails, or ends the process"
_NO_GAPS = "LiteRT refuses numbers of segments with gaps"

_FUNCTIONS = """
acos acosh asin asinh atan atanh bessel_i0 bessel_i0e bessel_i1 bessel_i1e betainc bitwise_and
bitwise_or cosh cumprod cumulative_logsumexp digamma dynamic_partition dynamic_stitch erfc erfinv
igamma igamma_grad igammac in_top_k invert_permutation left_shift linspace ndtri nextafter polygamma
searchsorted segment_max segment_mean segment_min segment_prod sinh tan truncatemod
unique_with_counts unravel_index zeta sparse_softmax_both
diagonals set_diag tensor_scatter_nd_max tensor_scatter_nd_min max_pool_places
"""
_TEXTS = """
as_string format_values hash_bucket hash_bucket_fast hash_bucket_strong reduce_join
regex_full_match regex_replace
string_format string_join string_length string_lower string_split string_strip string_upper substr
to_number unsorted_segment_join
"""
_FILES = "read_file write_file decode_image encode_png decode_wav encode_wav"
_COMPLEX = "angle complex conj fourier imag real real_fourier real_from_fourier"
_FACTORS = """
cholesky eigvalsh log_matrix_determinant lu matrix_determinant matrix_inverse matrix_solve
matrix_square_root qr singular_values
"""
_RANDOM = """
skip_variable stateless_full_int stateless_gamma stateless_key_counter stateless_normal
stateless_shuffle stateless_truncated_normal stateless_uniform stateless_uniform_int
"""
_GRADIENTS = """
avg_pool_back convolution_to_filter einsum_grad gathered_back gru_gates_grad joined_part
lstm_gates_grad max_pool_back max_pool_picked moved on_diagonal placed_along repeats_summed
replaced_part rows_back slice_back sliced_back taken_along tensordot_grad tiles_summed unmasked
unpadded
"""
_ITEM_GRADIENTS = """
drop_item_gradients item_gradients_as_parts item_gradients_as_rows join_item_gradients
lengths_of_items limit_item_gradients move_item_gradients no_item_gradients
parts_as_item_gradients pick_item_gradients place_item_gradients rows_as_item_gradients
tensor_array_resize tensor_array_sum
"""

UNSUPPORTED = MappingProxyType(
    {
        **NOT_IN_GRAPHDEFS,
        **dict.fromkeys(_FUNCTIONS.split(), _NO_KERNEL),
        **dict.fromkeys(_TEXTS.split(), _NO_TEXT),
        **dict.fromkeys(_COMPLEX.split(), _NO_COMPLEX),
        **dict.fromkeys(_FACTORS.split(), _NO_FACTORS),
        **dict.fromkeys(_RANDOM.split(), _NO_RANDOM),
        **dict.fromkeys(_GRADIENTS.split(), _GRADIENT_STEP),
        **dict.fromkeys(_ITEM_GRADIENTS.split(), _GRADIENT_STEP),
        "tensor_array_scatter": "elements are written one by one: use write in a loop",
        "tensor_scatter_nd_update": _ADDED_UP,
        "from_diagonals": _ENDS,
        "lgamma": _ENDS,
        "segment_sum": _NO_GAPS,
        "timestamp": "a model does not know the time",
        **dict.fromkeys(_FILES.split(), "a model reads no files: decode them before it"),
    }
)

NOT_KEEPING_NAN = MappingProxyType(
    {
        "ArgMax": "argmax may give another place",
        "ArgMin": "argmin may give another place",
        "AvgPool": "avg_pool gives an infinite number",
        "Exp": "exp gives 0",
        "Expm1": "expm1 gives -1",
        "Max": "reduce_max skips it",
        "MaxPool": "max_pool skips it",
        "Maximum": "maximum may give the other number",
        "Min": "reduce_min skips it",
        "Minimum": "minimum may give the other number",
        "TopKV2": "top_k may give it another place",
        "UnsortedSegmentMax": "unsorted_segment_max skips it",
        "UnsortedSegmentMin": "unsorted_segment_min skips it",
    }
)
"""The results of LiteRT's kernels for NaN that are not NaN, by the names of TensorFlow's ops."""
