"""Callbacks: the namespace `rt.nn.callbacks`."""

from __future__ import annotations

from runtime.nn.callbacks.callback import Callback as Callback
from runtime.nn.callbacks.callback import LambdaCallback as LambdaCallback
from runtime.nn.callbacks.callback_list import CallbackList as CallbackList
from runtime.nn.callbacks.history import History as History
from runtime.nn.callbacks.keeping import CSVLogger as CSVLogger
from runtime.nn.callbacks.keeping import ModelCheckpoint as ModelCheckpoint
from runtime.nn.callbacks.progress import ProgbarLogger as ProgbarLogger
from runtime.nn.callbacks.rates import LearningRateScheduler as LearningRateScheduler
from runtime.nn.callbacks.tensorboard import TensorBoard as TensorBoard
from runtime.nn.callbacks.watching import EarlyStopping as EarlyStopping
from runtime.nn.callbacks.watching import ReduceLROnPlateau as ReduceLROnPlateau
from runtime.nn.callbacks.watching import TerminateOnNaN as TerminateOnNaN
