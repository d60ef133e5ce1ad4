"""Callbacks: the namespace `rt.nn.callbacks`."""

from __future__ import annotations

from runtime.nn.callbacks.callback import Callback as Callback
from runtime.nn.callbacks.callback import LambdaCallback as LambdaCallback
from runtime.nn.callbacks.callback_list import CallbackList as CallbackList
from runtime.nn.callbacks.history import History as History
from runtime.nn.callbacks.progress import ProgbarLogger as ProgbarLogger
