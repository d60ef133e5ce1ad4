"""Callbacks: the base class, and the history of a training."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.core.argument_checks import dict_argument
from runtime.core.lazy_imports import lazy_import

Told = Callable[..., Any]


class Callback:
    """The base class of callbacks; a subclass overrides the methods it needs.

    The logs of a batch or an epoch are a dict of numbers by the names of losses and metrics;
    entries that a callback adds to those of an epoch are part of the history.

    Attributes:
        model: the trained model, or None.
        params: `epochs`, `steps` and `verbose` of the training.

    Example:
        >>> class Loud(Callback):
        ...     def on_epoch_end(self, epoch, logs=None):
        ...         print("epoch", epoch, logs)
        >>> Loud().on_epoch_end(0, {"loss": 0.5})
        epoch 0 {'loss': 0.5}
    """

    def __init__(self) -> None:
        self.params: dict[str, Any] = {}
        self._model: Any = None

    @property
    def model(self) -> Any:
        """The trained model; None before `set_model`."""
        return getattr(self, "_model", None)

    def set_model(self, model: Any) -> None:
        """Set the trained model."""
        self._model = model

    def set_params(self, params: dict[str, Any]) -> None:
        """Set the parameters of the training."""
        self.params = params

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Called before an epoch of training."""

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Called after an epoch of training, with its losses and metrics."""

    def on_train_begin(self, logs: Any = None) -> None:
        """Called before training."""

    def on_train_end(self, logs: Any = None) -> None:
        """Called after training, with the logs of the last epoch."""

    def on_test_begin(self, logs: Any = None) -> None:
        """Called before an evaluation."""

    def on_test_end(self, logs: Any = None) -> None:
        """Called after an evaluation, with its losses and metrics."""

    def on_predict_begin(self, logs: Any = None) -> None:
        """Called before a prediction."""

    def on_predict_end(self, logs: Any = None) -> None:
        """Called after a prediction."""

    def on_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Called before a training batch."""

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Called after a training batch, with its losses and metrics."""

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Called before a training batch; its older name is `on_batch_begin`."""
        self.on_batch_begin(batch, logs)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Called after a training batch; its older name is `on_batch_end`."""
        self.on_batch_end(batch, logs)

    def on_test_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Called before a batch of an evaluation."""

    def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
        """Called after a batch of an evaluation, with its losses and metrics."""

    def on_predict_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Called before a batch of a prediction."""

    def on_predict_batch_end(self, batch: int, logs: Any = None) -> None:
        """Called after a batch of a prediction."""


class LambdaCallback(Callback):
    """Calls functions: each argument is called where the method of its name would be.

    Example:
        >>> seen = []
        >>> callback = LambdaCallback(on_epoch_end=lambda epoch, logs: seen.append(epoch))
        >>> callback.on_epoch_end(3, {})
        >>> seen
        [3]
    """

    def __init__(
        self,
        on_epoch_begin: Told | None = None,
        on_epoch_end: Told | None = None,
        on_train_begin: Told | None = None,
        on_train_end: Told | None = None,
        on_train_batch_begin: Told | None = None,
        on_train_batch_end: Told | None = None,
        **kwargs: Told,
    ) -> None:
        super().__init__()
        given = {
            "on_epoch_begin": on_epoch_begin,
            "on_epoch_end": on_epoch_end,
            "on_train_begin": on_train_begin,
            "on_train_end": on_train_end,
            "on_train_batch_begin": on_train_batch_begin,
            "on_train_batch_end": on_train_batch_end,
            **kwargs,
        }
        for name, function in given.items():
            if function is not None:
                setattr(self, name, function)


# -- the history of a training: the logs of each epoch ---------------------------------------------


class History(Callback):
    """Stores the logs of all epochs; `fit` returns one.

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
        """Reset the history."""
        self.history, self.epoch = {}, []

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Append the logs."""
        entries = dict_argument(logs, "logs")
        self.epoch.append(epoch)
        for name, value in entries.items():
            self.history.setdefault(name, []).append(value)

    __repr__ = lazy_import("runtime.display.models:history_text")
    _repr_html_ = lazy_import("runtime.display.models:history_html")
