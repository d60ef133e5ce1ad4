"""`LearningRateScheduler`: a callback that sets the learning rate."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.errors import ArgumentValueError
from runtime.nn.callbacks.callback import Callback


class LearningRateScheduler(Callback):
    """Sets the learning rate at the beginning of each epoch.

    Args:
        schedule: called with the number of the epoch, from 0, and the current learning rate; or
            with the number alone. Returns the learning rate.
        verbose: 1 to print it.

    Example:
        >>> import autograph.runtime as rt
        >>> model = rt.nn.Sequential([rt.nn.layers.Dense(1)])
        >>> model.compile(rt.nn.optimizers.SGD(1.0), "mse")
        >>> halved = LearningRateScheduler(lambda epoch, rate: rate / 2)
        >>> history = model.fit([[1.0]], [[2.0]], epochs=2, verbose=0, callbacks=[halved])
        >>> float(model.optimizer.learning_rate)
        0.25
    """

    def __init__(self, schedule: Callable[..., Any], verbose: int = 0) -> None:
        super().__init__()
        if not callable(schedule):
            raise ArgumentValueError(f"a schedule must be a function of an epoch, not {schedule!r}")
        self.schedule, self.verbose = schedule, verbose

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Call the schedule, and set the learning rate."""
        now = float(np.asarray(self.model.optimizer.learning_rate))
        rate = self.schedule(epoch, now) if self._takes_rate() else self.schedule(epoch)
        if np.ndim(rate) or not np.issubdtype(np.asarray(rate).dtype, np.number):
            raise ArgumentValueError(f"a schedule must return a number, not {rate!r}")
        self.model.optimizer.learning_rate = float(rate)
        if self.verbose:
            print(f"Epoch {epoch + 1}: the learning rate is {float(rate):g}")

    def _takes_rate(self) -> bool:
        # The parameters are checked first, since the call itself may raise TypeError.
        try:
            inspect.signature(self.schedule).bind(0, 0.0)
        except TypeError:
            return False
        except ValueError:
            return True
        return True

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Add the learning rate to the logs."""
        if logs is not None:
            logs["learning_rate"] = float(np.asarray(self.model.optimizer.learning_rate))
