"""Callbacks: the namespace `rt.nn.callbacks`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import door

if TYPE_CHECKING:
    from runtime.nn.callbacks.callback import Callback as Callback
    from runtime.nn.callbacks.callback import LambdaCallback as LambdaCallback
    from runtime.nn.callbacks.callback_list import CallbackList as CallbackList
    from runtime.nn.callbacks.history import History as History
    from runtime.nn.callbacks.keeping import CSVLogger as CSVLogger
    from runtime.nn.callbacks.keeping import ModelCheckpoint as ModelCheckpoint
    from runtime.nn.callbacks.progress import ProgbarLogger as ProgbarLogger
    from runtime.nn.callbacks.rates import LearningRateScheduler as LearningRateScheduler
    from runtime.nn.callbacks.resuming import BackupAndRestore as BackupAndRestore
    from runtime.nn.callbacks.resuming import RemoteMonitor as RemoteMonitor
    from runtime.nn.callbacks.resuming import SwapEMAWeights as SwapEMAWeights
    from runtime.nn.callbacks.tensorboard import TensorBoard as TensorBoard
    from runtime.nn.callbacks.watching import EarlyStopping as EarlyStopping
    from runtime.nn.callbacks.watching import ReduceLROnPlateau as ReduceLROnPlateau
    from runtime.nn.callbacks.watching import TerminateOnNaN as TerminateOnNaN
else:
    __getattr__, __dir__, __all__ = door(
        __name__,
        {
            "runtime.nn.callbacks.callback": "Callback LambdaCallback",
            "runtime.nn.callbacks.callback_list": "CallbackList",
            "runtime.nn.callbacks.history": "History",
            "runtime.nn.callbacks.keeping": "CSVLogger ModelCheckpoint",
            "runtime.nn.callbacks.progress": "ProgbarLogger",
            "runtime.nn.callbacks.rates": "LearningRateScheduler",
            "runtime.nn.callbacks.resuming": "BackupAndRestore RemoteMonitor SwapEMAWeights",
            "runtime.nn.callbacks.tensorboard": "TensorBoard",
            "runtime.nn.callbacks.watching": "EarlyStopping ReduceLROnPlateau TerminateOnNaN",
        },
    )
