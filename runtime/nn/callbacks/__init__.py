"""Callbacks: the namespace `rt.nn.callbacks`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.nn.callbacks.backup import BackupAndRestore as BackupAndRestore
    from runtime.nn.callbacks.backup import RemoteMonitor as RemoteMonitor
    from runtime.nn.callbacks.backup import SwapEMAWeights as SwapEMAWeights
    from runtime.nn.callbacks.callback import Callback as Callback
    from runtime.nn.callbacks.callback import History as History
    from runtime.nn.callbacks.callback import LambdaCallback as LambdaCallback
    from runtime.nn.callbacks.callback_list import CallbackList as CallbackList
    from runtime.nn.callbacks.csv_logger import CSVLogger as CSVLogger
    from runtime.nn.callbacks.learning_rate_scheduler import (
        LearningRateScheduler as LearningRateScheduler,
    )
    from runtime.nn.callbacks.model_checkpoint import ModelCheckpoint as ModelCheckpoint
    from runtime.nn.callbacks.monitors import EarlyStopping as EarlyStopping
    from runtime.nn.callbacks.monitors import ReduceLROnPlateau as ReduceLROnPlateau
    from runtime.nn.callbacks.monitors import TerminateOnNaN as TerminateOnNaN
    from runtime.nn.callbacks.progress_bar import ProgbarLogger as ProgbarLogger
    from runtime.nn.callbacks.tensorboard import TensorBoard as TensorBoard
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.nn.callbacks.callback": "Callback History LambdaCallback",
            "runtime.nn.callbacks.callback_list": "CallbackList",
            "runtime.nn.callbacks.csv_logger": "CSVLogger",
            "runtime.nn.callbacks.model_checkpoint": "ModelCheckpoint",
            "runtime.nn.callbacks.progress_bar": "ProgbarLogger",
            "runtime.nn.callbacks.learning_rate_scheduler": "LearningRateScheduler",
            "runtime.nn.callbacks.backup": "BackupAndRestore RemoteMonitor SwapEMAWeights",
            "runtime.nn.callbacks.tensorboard": "TensorBoard",
            "runtime.nn.callbacks.monitors": ("EarlyStopping ReduceLROnPlateau TerminateOnNaN"),
        },
    )
