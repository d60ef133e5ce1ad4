"""Optimizers: the namespace `rt.nn.optimizers`."""

from __future__ import annotations

from runtime.nn.optimizers.adam import Adam as Adam
from runtime.nn.optimizers.optimizer import Optimizer as Optimizer
from runtime.nn.optimizers.sgd import SGD as SGD
