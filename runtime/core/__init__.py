"""Tensors, dtypes, shapes and the recording context, on which all other packages depend."""

from runtime.core.lazy_imports import load_module as _load_module

# Garbage collection is off meanwhile: it would take a tenth of the time and find nothing.
_load_module("numpy")
