"""Callbacks that monitor a logged number: early stopping, learning rate reduction, NaN checks."""

from __future__ import annotations

import math
from typing import Any

from runtime.core.argument_checks import choice, flag, number, plain_text
from runtime.core.context import caller_origin
from runtime.core.source_names import warn_at
from runtime.errors import ArgumentValueError
from runtime.nn.callbacks.callback import Callback

# Parts of the names of metrics for which larger is better.
_LARGER = ("acc", "auc", "precision", "recall", "fmeasure", "f1", "iou", "dice", "r2")


class Monitor:
    """A monitored number of the logs, and which of two values of it is better.

    Args:
        name: the name of the number in logs.
        mode: "min", "max", or "auto", which depends on the name.
        least: the minimum difference that counts as better.

    Example:
        >>> Monitor("val_loss").is_better(0.5, 0.6), Monitor("accuracy").is_better(0.5, 0.6)
        (True, False)
    """

    def __init__(self, name: str, mode: str = "auto", least: float = 0.0) -> None:
        choice(mode, "mode", ("auto", "min", "max"))
        self.name, self._least = plain_text(name, "monitor"), abs(number(least, "min_delta"))
        by_name = any(part in self.name.lower() for part in _LARGER)
        self._is_larger_better = mode == "max" or (mode == "auto" and by_name)

    @property
    def worst(self) -> float:
        """The initial value, which any other improves on: infinity or its negative."""
        return -math.inf if self._is_larger_better else math.inf

    def is_better(self, value: float, than: float) -> bool:
        """Return whether a value is better than another one by more than the minimum."""
        if self._is_larger_better:
            return value - self._least > than
        return value + self._least < than

    def value_in(self, logs: Any) -> Any:
        """Return the number in logs; None, with a warning, if it is missing."""
        if logs is not None and self.name in logs:
            return logs[self.name]
        there = ", ".join(logs or {}) or "none"
        warn_at(
            caller_origin(),
            f"there is no {self.name!r} in the logs, which have {there}",
            UserWarning,
        )
        return None


class EarlyStopping(Callback):
    """Ends the training after some epochs without an improvement of a number.

    Args:
        monitor: the name of the number.
        min_delta: the minimum difference that counts as an improvement.
        patience: the number of epochs without an improvement.
        verbose: 1 to print when it ends.
        mode: "min", "max" or "auto", which depends on the name.
        baseline: the value to improve on.
        restore_best_weights: whether the model gets the weights of its best epoch.
        start_from_epoch: the first epoch that counts.

    Attributes:
        stopped_epoch: the number of the epoch after which the training was ended, else 0.

    Example:
        >>> import autograph.runtime as rt
        >>> model = rt.nn.Sequential([rt.nn.layers.Dense(1)])
        >>> model.compile(rt.nn.optimizers.SGD(0.0), "mse")  # learns nothing
        >>> stop = EarlyStopping("loss", patience=1)
        >>> history = model.fit([[1.0]], [[2.0]], epochs=9, verbose=0, callbacks=[stop])
        >>> stop.stopped_epoch
        1
    """

    def __init__(
        self,
        monitor: str = "val_loss",
        min_delta: float = 0,
        patience: int = 0,
        verbose: int = 0,
        mode: str = "auto",
        baseline: float | None = None,
        restore_best_weights: bool = False,
        start_from_epoch: int = 0,
    ) -> None:
        super().__init__()
        self.monitor, self.patience, self.verbose = monitor, patience, verbose
        self.baseline, self.restore_best_weights = baseline, restore_best_weights
        self.start_from_epoch = start_from_epoch
        self._monitor = Monitor(monitor, mode, min_delta)
        self.on_train_begin()

    def on_train_begin(self, logs: Any = None) -> None:
        """Reset the state."""
        self.wait = self.stopped_epoch = self.best_epoch = 0
        self.best = self._monitor.worst
        self.best_weights: Any = None

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Compare the logs of the epoch with the best ones."""
        value = self._monitor.value_in(logs)
        if value is None or epoch < self.start_from_epoch:
            return
        if self.restore_best_weights and self.best_weights is None:
            self._keep(epoch)
        self.wait += 1
        if self._monitor.is_better(value, self.best):
            self.best = value
            self._keep(epoch)
            if self.baseline is None or self._monitor.is_better(value, self.baseline):
                self.wait = 0
            return
        if self.wait >= self.patience and epoch > 0:
            self.stopped_epoch = epoch
            self.model.stop_training = True

    def _keep(self, epoch: int) -> None:
        self.best_epoch = epoch
        if self.restore_best_weights:
            self.best_weights = self.model.get_weights()

    def on_train_end(self, logs: Any = None) -> None:
        """Restore the best weights if `restore_best_weights` is true."""
        if self.stopped_epoch and self.verbose:
            print(f"Epoch {self.stopped_epoch + 1}: early stopping")
        if self.restore_best_weights and self.best_weights is not None:
            self.model.set_weights(self.best_weights)


class ReduceLROnPlateau(Callback):
    """Reduces the learning rate after some epochs without an improvement of a number.

    Args:
        monitor: the name of the number.
        factor: the factor of the learning rate.
        patience: the number of epochs without an improvement.
        verbose: 1 to print a line at each reduction.
        mode: "min", "max" or "auto", which depends on the name.
        min_delta: the minimum difference that counts as an improvement.
        cooldown: the number of epochs after a reduction that do not count.
        min_lr: the smallest learning rate.

    Example:
        >>> import autograph.runtime as rt
        >>> model = rt.nn.Sequential([rt.nn.layers.Dense(1, kernel_initializer="zeros")])
        >>> model.compile(rt.nn.optimizers.SGD(0.5), "mse")
        >>> slower = ReduceLROnPlateau("loss", factor=0.5, patience=1)
        >>> history = model.fit([[1.0]], [[0.0]], epochs=2, verbose=0, callbacks=[slower])
        >>> float(model.optimizer.learning_rate)
        0.25
    """

    def __init__(
        self,
        monitor: str = "val_loss",
        factor: float = 0.1,
        patience: int = 10,
        verbose: int = 0,
        mode: str = "auto",
        min_delta: float = 1e-4,
        cooldown: int = 0,
        min_lr: float = 0.0,
    ) -> None:
        super().__init__()
        if not 0 < number(factor, "factor") < 1:
            raise ArgumentValueError(f"factor must be between 0 and 1, not {factor!r}")
        self.monitor, self.factor, self.patience = monitor, factor, patience
        self.verbose, self.cooldown, self.min_lr = verbose, cooldown, min_lr
        self._monitor = Monitor(monitor, mode, min_delta)
        self.on_train_begin()

    def on_train_begin(self, logs: Any = None) -> None:
        """Reset the state."""
        self.wait = self.cooldown_counter = 0
        self.best = self._monitor.worst

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Add the learning rate to the logs, and compare the logs with the best ones."""
        rate = float(self.model.optimizer.learning_rate)
        if logs is not None:
            logs["learning_rate"] = rate
        value = self._monitor.value_in(logs)
        if value is None:
            return
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.wait = 0
        if self._monitor.is_better(value, self.best):
            self.best, self.wait = value, 0
        elif self.cooldown_counter <= 0:
            self.wait += 1
            if self.wait >= self.patience and rate > self.min_lr:
                self._reduce(epoch, rate)

    def _reduce(self, epoch: int, rate: float) -> None:
        smaller = max(rate * self.factor, self.min_lr)
        self.model.optimizer.learning_rate = smaller
        self.cooldown_counter, self.wait = self.cooldown, 0
        if self.verbose:
            print(f"Epoch {epoch + 1}: the learning rate becomes {smaller:g}")


class TerminateOnNaN(Callback):
    """Ends the training when the loss of a batch is NaN or infinite.

    Args:
        raise_error: whether to raise RuntimeError in place of ending the training.

    Example:
        >>> import autograph.runtime as rt
        >>> model = rt.nn.Sequential([rt.nn.layers.Dense(1)])
        >>> model.compile("sgd", "mse")
        >>> ending = [TerminateOnNaN()]
        >>> history = model.fit([[1.0]], [[float("nan")]], verbose=0, callbacks=ending)
        Batch 0: the loss is nan, the training ends
    """

    def __init__(self, raise_error: bool = False) -> None:
        super().__init__()
        self.raise_error = flag(raise_error, "raise_error")

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Check the loss."""
        loss = (logs or {}).get("loss")
        if loss is not None and not math.isfinite(loss):
            if self.raise_error:
                raise RuntimeError(f"batch {batch}: the loss is {loss}")
            print(f"Batch {batch}: the loss is {loss}, the training ends")
            self.model.stop_training = True
