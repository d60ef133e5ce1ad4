"""Ops without a form in ONNX, with the reasons."""

from __future__ import annotations

from types import MappingProxyType

_NO_HANDLERS = "nothing in a model catches an error"
_NO_CALLS = "a function of a model cannot call itself"
_NO_FUNCTION = "ONNX has no operator that computes it"
_NO_COMPLEX = "engines of ONNX compute no complex numbers"
_NO_FACTORS = "ONNX has no operator for factors of matrices"
_NO_TEXT = "ONNX has no such operator on texts"
_PYTHON_TEXT = "it makes texts as Python does"
_OF_A_SEED = "its numbers follow from a seed, and engines of ONNX draw others"
_NO_DRAWS = "ONNX has no operator that draws from it"
_WRITER = "a writer of summaries is a file that this process has open"
_DATASETS = "a dataset is more than values: its steps run outside of the graph"

_FUNCTIONS = """
bessel_i0 bessel_i0e bessel_i1 bessel_i1e betainc digamma erfc erfinv igamma igamma_grad igammac
lgamma ndtri nextafter polygamma zeta bitcast power_modulo cumulative_logsumexp dynamic_stitch
unravel_index
"""
_COMPLEX = "angle complex conj imag real fourier real_fourier real_from_fourier"
_FACTORS = """
cholesky eig eigh eigvals eigvalsh log_matrix_determinant lu matrix_exponential matrix_inverse
matrix_solve matrix_square_root pseudo_inverse qr singular_values svd
"""
_DIAGONALS = "diagonals from_diagonals set_diag"
_TEXTS = """
bytes_split hash_bucket hash_bucket_fast hash_bucket_strong regex_replace string_format
string_length string_ngrams string_strip substr unicode_decode unicode_encode unicode_split
unicode_transcode unsorted_segment_join
"""
_FILES = "read_file write_file decode_image encode_png decode_wav encode_wav"
_PYTHON_TEXTS = "text_method text_item number_method"
_SEEDED = """
stateless_binomial stateless_categorical stateless_full_int stateless_gamma stateless_key_counter
stateless_normal stateless_poisson stateless_shuffle stateless_truncated_normal stateless_uniform
stateless_uniform_int skip_variable
"""
_OF_DATASETS = """
dataset_begin dataset_size dataset_has_item dataset_item dataset_place_after dataset_seeds
dataset_store iterator_has_next iterator_next
"""

UNSUPPORTED = MappingProxyType(
    {
        "try_except": _NO_HANDLERS,
        "note_state": _NO_HANDLERS,
        "leave_try": _NO_HANDLERS,
        "from_exception": _NO_HANDLERS,
        "raise_again": _NO_HANDLERS,
        "make_error": "an exception is an object of Python's, not a value of a model",
        "recursion": _NO_CALLS,
        "call": _NO_CALLS,
        "new_variable": "each run makes this variable, and a model makes none",
        "py_function": "a model cannot hold a Python function",
        "given_gradient": "its gradient is a Python function, and a model cannot hold that",
        "new_number": "it numbers the objects that runs make in this process",
        "timestamp": "a model does not know the time",
        **dict.fromkeys(_FILES.split(), "a model reads no files: decode them before it"),
        "write_summary": _WRITER,
        "flush_summaries": _WRITER,
        "close_summaries": _WRITER,
        **dict.fromkeys(_FUNCTIONS.split(), _NO_FUNCTION),
        **dict.fromkeys(_COMPLEX.split(), _NO_COMPLEX),
        **dict.fromkeys(_FACTORS.split(), _NO_FACTORS),
        **dict.fromkeys(_DIAGONALS.split(), "ONNX has no operator for bands of diagonals"),
        **dict.fromkeys(_TEXTS.split(), _NO_TEXT),
        **dict.fromkeys(_PYTHON_TEXTS.split(), _PYTHON_TEXT),
        **dict.fromkeys(_SEEDED.split(), _OF_A_SEED),
        "random_gamma": _NO_DRAWS,
        "random_poisson": _NO_DRAWS,
        "tensordot_grad": "its factors are of any rank: give them shapes",
        "tensor_array_resize": "a model has no TensorArray that is cut",
        "tensor_array_sum": "a model has no sums of TensorArrays",
        **dict.fromkeys(_OF_DATASETS.split(), _DATASETS),
    }
)
