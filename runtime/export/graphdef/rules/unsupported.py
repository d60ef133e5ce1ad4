"""Ops without a counterpart in TensorFlow, with the reasons."""

from __future__ import annotations

from types import MappingProxyType

_NO_HANDLERS = "TensorFlow's graphs fail as a whole, and nothing in them catches an error"
_NO_CALLS = "TensorFlow follows a function that calls itself without end when it reads the file"
_OTHER_NUMBERS = "TensorFlow draws other random numbers"
_PYTHON_TEXT = "it makes texts as Python does"
_PYTHON_NUMBERS = "it rounds and raises as Python does"
_OF_ITEMS = "TensorFlow moves no items of lists, of which some were never written"
_WRITER = "a writer of summaries is a file that this process has open"
_DATASETS = "a dataset is more than values: its steps run outside of the graph"
_GRADIENT_STEP = "TensorFlow computes this step of a gradient with other nodes"

_STREAMS = "the file would begin its streams anew, with seeds of its own"
_PLACES = "TensorFlow takes the key and the counter of this one in another form"

_LETTERS = "TensorFlow makes a ragged tensor of it, which is not supported here"
# Strings (runtime/ops/text/regular_expressions.py, runtime/ops/text/unicode.py).
_TEXTS = {
    "bytes_split": _LETTERS,
    "string_ngrams": _LETTERS,
    "unicode_decode": _LETTERS,
    "unicode_split": _LETTERS,
    "unicode_encode": _LETTERS,
    "unicode_transcode": "TensorFlow replaces other damaged letters than Python",
}

# Random numbers (runtime/ops/random/samplers.py, runtime/state/generator.py).
_DRAWN = {
    "random_uniform_int": _STREAMS,
    "random_categorical": _STREAMS,
    "random_gamma": _STREAMS,
    "random_poisson": _STREAMS,
    "stateless_categorical": _PLACES,
    "stateless_poisson": _PLACES,
    "stateless_binomial": _PLACES,
}

# Matrices (runtime/ops/linalg/factorizations.py, matrix_functions.py).
_MATRICES = {
    "matrix_exponential": "TensorFlow makes a loop of many nodes of it",
    "pseudo_inverse": "TensorFlow makes it of singular values, and many nodes",
    "svd": "TensorFlow gives vectors with other signs; compute_uv=False goes into a file",
    "eigh": "TensorFlow gives vectors with other signs; eigvalsh goes into a file",
    "eig": "TensorFlow gives the values in another order",
    "eigvals": "TensorFlow gives the values in another order",
}

UNSUPPORTED = MappingProxyType(
    {
        "try_except": _NO_HANDLERS,
        "note_state": _NO_HANDLERS,
        "leave_try": _NO_HANDLERS,
        "from_exception": _NO_HANDLERS,
        "raise_again": _NO_HANDLERS,
        "make_error": "an exception is an object of Python's, not a value of a file",
        "recursion": _NO_CALLS,
        "call": _NO_CALLS,
        "new_variable": "each run makes this variable, and those of a file outlive its runs",
        "py_function": "a file cannot hold a Python function",
        "random_uniform": _OTHER_NUMBERS,
        "random_normal": _OTHER_NUMBERS,
        "truncated_normal": _OTHER_NUMBERS,
        "random_shuffle": _OTHER_NUMBERS,
        **_DRAWN,
        **_TEXTS,
        **_MATRICES,
        "new_number": "it numbers the objects that runs make in this process",
        "dataset_begin": _DATASETS,
        "dataset_size": _DATASETS,
        "dataset_has_item": _DATASETS,
        "dataset_item": _DATASETS,
        "dataset_place_after": _DATASETS,
        "dataset_seeds": _DATASETS,
        "dataset_store": _DATASETS,
        "iterator_has_next": _DATASETS,
        "iterator_next": _DATASETS,
        "text_method": _PYTHON_TEXT,
        "text_item": _PYTHON_TEXT,
        "number_method": _PYTHON_TEXT,
        "python_math": _PYTHON_NUMBERS,
        "python_round": _PYTHON_NUMBERS,
        "python_power": _PYTHON_NUMBERS,
        "power_modulo": _PYTHON_NUMBERS,
        "gather_item_gradients": _OF_ITEMS,
        "scatter_item_gradients": _OF_ITEMS,
        "move_item_gradients_back": _OF_ITEMS,
        "given_gradient": "its gradient is a Python function, and a file cannot hold that",
        # runtime/summary/
        "write_summary": _WRITER,
        "flush_summaries": _WRITER,
        "close_summaries": _WRITER,
        "recurrence": _GRADIENT_STEP,
    }
)
