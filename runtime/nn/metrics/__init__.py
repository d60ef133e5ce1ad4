"""Metrics: the namespace `rt.nn.metrics`."""

from __future__ import annotations

from runtime.nn.metrics.accuracy import SparseCategoricalAccuracy as SparseCategoricalAccuracy
from runtime.nn.metrics.accuracy import sparse_categorical_accuracy as sparse_categorical_accuracy
from runtime.nn.metrics.mean import Mean as Mean
from runtime.nn.metrics.mean import MeanMetricWrapper as MeanMetricWrapper
from runtime.nn.metrics.metric import Metric as Metric
