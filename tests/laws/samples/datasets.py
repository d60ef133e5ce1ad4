"""Arguments for the laws of operations: the stores of datasets, and iterators over them."""

from __future__ import annotations

import itertools

import numpy as np

from runtime.core.spec import TensorSpec
from runtime.core.variant import boxed
from runtime.ops.data.iterators import PrefetchedItem

RUNNING = boxed(PrefetchedItem(itertools.repeat((np.array([1.0, 2.0], np.float32),))))
SPECS = (TensorSpec((2,), "float32"),)

# The name of an op, its inputs and its attributes.
SAMPLES = [
    ("dataset_seeds", (), {"seed": 3, "changes": True}),
    ("dataset_store", (), {}),
    ("iterator_has_next", (RUNNING,), {}),
    ("iterator_next", (RUNNING,), {"specs": SPECS}),
]
