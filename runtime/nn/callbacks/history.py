"""The history of a training: what each epoch came to."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import by_names
from runtime.nn.callbacks.callback import Callback


class History(Callback):
    """Keeps the logs of epochs; `fit` returns one.

    Attributes:
        history: lists of numbers by the names of losses and metrics.
        epoch: the numbers of the epochs, from 0.

    Example:
        >>> history = History()
        >>> history.on_train_begin()
        >>> history.on_epoch_end(0, {"loss": 0.5})
        >>> history.history, history.epoch
        ({'loss': [0.5]}, [0])
    """

    def __init__(self) -> None:
        super().__init__()
        self.history: dict[str, list[Any]] = {}
        self.epoch: list[int] = []

    def on_train_begin(self, logs: Any = None) -> None:
        """Begin anew."""
        self.history, self.epoch = {}, []

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Keep the logs."""
        told = by_names(logs, "logs")
        self.epoch.append(epoch)
        for name, value in told.items():
            self.history.setdefault(name, []).append(value)
