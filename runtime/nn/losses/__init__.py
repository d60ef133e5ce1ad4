"""Losses: the namespace `rt.nn.losses`."""

from __future__ import annotations

from runtime.nn.losses.classes import SparseCategoricalCrossentropy as SparseCategoricalCrossentropy
from runtime.nn.losses.classes import (
    sparse_categorical_crossentropy as sparse_categorical_crossentropy,
)
from runtime.nn.losses.differences import MeanSquaredError as MeanSquaredError
from runtime.nn.losses.differences import mean_squared_error as mean_squared_error
from runtime.nn.losses.loss import Loss as Loss
