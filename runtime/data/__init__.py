"""Datasets: sequences of elements, iterated over eagerly or by loops of a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.data import experimental as experimental
    from runtime.data.dataset import Dataset as Dataset
    from runtime.data.element_spec import DatasetSpec as DatasetSpec
    from runtime.data.iterator import Iterator as Iterator
    from runtime.data.optional import Optional as Optional
    from runtime.data.options import Options as Options
    from runtime.data.plan import INFINITE as INFINITE_CARDINALITY
    from runtime.data.plan import UNKNOWN as UNKNOWN_CARDINALITY
    from runtime.data.text_files import TextLineDataset as TextLineDataset
else:
    __getattr__, __dir__ = lazy_attributes(
        __name__,
        {
            "runtime.data": "experimental",
            "runtime.data.dataset": "Dataset",
            "runtime.data.element_spec": "DatasetSpec",
            "runtime.data.iterator": "Iterator",
            "runtime.data.text_files": "TextLineDataset",
            "runtime.data.optional": "Optional",
            "runtime.data.options": "Options",
            "runtime.data.plan": "INFINITE_CARDINALITY=INFINITE UNKNOWN_CARDINALITY=UNKNOWN",
        },
    )[:2]


# Lets the library choose the number of parallel calls.
AUTOTUNE = -1

__all__ = [
    "AUTOTUNE",
    "INFINITE_CARDINALITY",
    "UNKNOWN_CARDINALITY",
    "Dataset",
    "DatasetSpec",
    "Iterator",
    "Optional",
    "Options",
    "TextLineDataset",
    "experimental",
]
