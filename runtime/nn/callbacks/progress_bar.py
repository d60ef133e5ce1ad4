"""Progress bars: `keras.utils.Progbar`, and the callback that prints one line per epoch."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterable
from typing import Any

import numpy as np

from runtime.display.live_output import LiveOutput, live_output
from runtime.errors import ArgumentValueError
from runtime.nn.callbacks.callback import Callback

# Terminal control codes: bold, green, white, reset, and clear the line.
_BOLD, _GREEN, _WHITE, _PLAIN, _CLEAR = "\x1b[1m", "\x1b[32m", "\x1b[37m", "\x1b[0m", "\r\x1b[K"


class Progbar:
    """Writes the number of finished steps, with means of their values.

    With `verbose=1` a bar is redrawn if the output is a terminal, in colours, or a notebook, where
    it is one output that is replaced; elsewhere only its end is written. With `verbose=2` the end
    is a line without a bar.

    Args:
        target: the number of steps, or None if unknown.
        width: the width of the bar.
        verbose: 0 for silence, 1 for a bar, 2 for a line at the end.
        interval: the minimum number of seconds between two updates of the bar.
        stateful_metrics: names of values of which the last one is shown, not the mean.
        unit_name: the name of a step.
        stateless_metrics: names of the values that are shown as means, if others are not.

    Raises:
        ArgumentValueError: both kinds of names are given.

    Example:
        >>> bar = Progbar(2, width=4, stateful_metrics=["best"])
        >>> bar.update(1, [("loss", 3.0), ("best", 3)])
        >>> bar.update(2, [("loss", 1.0), ("best", 1)])  # doctest: +ELLIPSIS
        2/2 ━━━━ 0s ...s/step - loss: 1.0000 - best: 1.0000
    """

    def __init__(
        self,
        target: int | None,
        width: int = 20,
        verbose: int = 1,
        interval: float = 0.05,
        stateful_metrics: Iterable[str] | None = None,
        stateless_metrics: Iterable[str] | None = None,
        unit_name: str = "step",
    ) -> None:
        if stateful_metrics is not None and stateless_metrics is not None:
            raise ArgumentValueError("give stateful_metrics or stateless_metrics, not both")
        self.target, self.width, self.verbose = target, width, verbose
        self.interval, self.unit_name = interval, unit_name
        self._as_they_are = set(stateful_metrics or ())
        self._as_means = None if stateless_metrics is None else set(stateless_metrics)
        self._values: dict[str, tuple[Any, int]] = {}
        self._done = 0
        self._began, self._looked = time.monotonic(), 0.0
        self._after_first: float | None = None
        self._output = live_output()
        self._label = ""

    def shown_in(self, output: Any, label: str) -> Progbar:
        """Let the bar replace the text of an output of a notebook's cell; return the bar.

        Args:
            output: a `LiveOutput`, or None for the output of other bars.
            label: a text before the bar.
        """
        self._output, self._label = output, label
        return self

    def update(
        self, current: int, values: Iterable[Any] | None = None, finalize: bool | None = None
    ) -> None:
        """Show the number of finished steps.

        Args:
            current: the number of finished steps.
            values: pairs of a name and a number.
            finalize: whether this is the end; by default when `target` is reached.
        """
        if finalize is None:
            finalize = self.target is not None and current >= self.target
        for name, value in values or ():
            self._take(name, value, max(current - self._done, 1), finalize)
        self._done = current
        now = time.monotonic()
        each = self._step_time(current, now)
        if self.verbose == 1:
            self._draw(current, now, each, finalize)
        elif self.verbose == 2 and finalize and self.target:
            seconds = f"{now - self._began:.0f}s"
            _write(f"{self._count(current)} - {seconds} - {each}{self._numbers()}\n")

    def add(self, n: int, values: Iterable[Any] | None = None) -> None:
        """Add finished steps; the values are those of `update`."""
        self.update(self._done + n, values)

    def _take(self, name: str, value: Any, steps: int, is_last: bool) -> None:
        is_mean = (
            name not in self._as_they_are if self._as_means is None else name in self._as_means
        )
        total, count = self._values.get(name, (0.0, 0))
        if is_mean and not is_last:
            self._values[name] = (total + value * steps, count + steps)
        else:
            # These logs are means over all steps already.
            self._values[name] = (value, 1)

    def _step_time(self, current: int, now: float) -> str:
        # The first step traces graphs, so it says nothing about later ones.
        if self._after_first is not None and current > 1:
            seconds = (now - self._after_first) / (current - 1)
        else:
            seconds = (now - self._began) / current if current else 0.0
        if current == 1:
            self._after_first = now
        return f"{_duration(seconds)}/{self.unit_name}"

    def _draw(self, current: int, now: float, each: str, is_last: bool) -> None:
        is_a_terminal = _is_terminal()
        is_live = is_a_terminal or self._output is not None
        if not is_last and (not is_live or now - self._looked < self.interval):
            return
        self._looked = now
        seconds = now - self._began
        if not is_last and self.target:
            seconds = seconds / max(current, 1) * (self.target - current)
        if self._output is not None:
            text = f"{self._label}{self._count(current)} {_clock(seconds)} {each}{self._numbers()}"
            self._output.show(text, current / self.target if self.target else None)
            return
        bold, plain = (_BOLD, _PLAIN) if is_a_terminal else ("", "")
        start = f"{_CLEAR if is_a_terminal else ''}{bold}{self._count(current)}{plain}"
        bar = self._bar(current, is_a_terminal)
        end = "\n" if is_last else ""
        _write(f"{start}{bar} {bold}{_clock(seconds)}{plain} {each}{self._numbers()}{end}")

    def _bar(self, current: int, is_a_terminal: bool) -> str:
        if not self.target:
            return ""
        done = int(self.width * min(1.0, current / self.target))
        rest = self.width - done
        if not is_a_terminal:
            return f" {'━' * done}{' ' * rest}"
        return f" {_GREEN}{'━' * done}{_PLAIN}{_WHITE}{'━' * rest}{_PLAIN}"

    def _count(self, current: int) -> str:
        if not self.target:
            return f"{current:7d}/Unknown"
        return f"{current:{len(str(self.target))}d}/{self.target}"

    def _numbers(self) -> str:
        found = ((name, value, count) for name, (value, count) in self._values.items())
        return "".join(f" - {name}: {_shown(value, count)}" for name, value, count in found)


def _is_terminal() -> bool:
    is_a_terminal = getattr(sys.stdout, "isatty", None)
    try:
        return bool(is_a_terminal is not None and is_a_terminal())
    except ValueError:
        return False


def _clock(seconds: float) -> str:
    """Return a duration as text with the units it needs.

    >>> _clock(3.2), _clock(125), _clock(3725)
    ('3s', '2:05', '1:02:05')
    """
    whole = int(seconds)
    if whole > 3600:
        return f"{whole // 3600}:{whole % 3600 // 60:02d}:{whole % 60:02d}"
    return f"{whole // 60}:{whole % 60:02d}" if whole > 60 else f"{seconds:.0f}s"


def _duration(seconds: float) -> str:
    """Return a time in a readable form.

    >>> _duration(0.0123), _duration(2.5), _duration(0.00004)
    ('12ms', '2s', '40us')
    """
    if seconds >= 1 or seconds == 0:
        return f"{seconds:.0f}s"
    return f"{seconds * 1e3:.0f}ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f}us"


def _shown(value: Any, count: int) -> str:
    mean = np.mean(value) / max(1, count)
    return f"{mean:.4f}" if abs(mean) > 1e-3 else f"{mean:.4e}"


# -- the output during training: a growing bar, or a line for each epoch ---------------------------


class ProgbarLogger(Callback):
    """Writes the progress of the training: with `verbose=1` a bar, with 2 a line for each epoch.

    The bar is redrawn if the output is a terminal, or a notebook, where one output is replaced
    during the whole training; elsewhere only its end is written.

    >>> import autograph.runtime as rt
    >>> model = rt.nn.Sequential([rt.nn.layers.Dense(1)])
    >>> model.compile("sgd", "mse")
    >>> history = model.fit([[0.0]], [[0.0]], verbose=2)  # with verbose, fit adds a ProgbarLogger
    1/1 - ...
    """

    def __init__(self) -> None:
        super().__init__()
        self._is_training = False
        self._bar = Progbar(None, verbose=0)
        self._output: LiveOutput | None = None
        self._label = ""
        self._done = 0
        self._of_last: int | None = None

    def on_train_begin(self, logs: Any = None) -> None:
        """Note that evaluations are parts of a training from now on: they write no bar."""
        self._is_training = True
        self._output = live_output()

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Write the number of the epoch, and begin its bar."""
        epochs, verbose = self.params.get("epochs", 1), self.params.get("verbose")
        if epochs > 1 and verbose:
            if self._output is not None and verbose == 1:
                self._label = f"Epoch {epoch + 1}/{epochs}  "
            else:
                _write(f"Epoch {epoch + 1}/{epochs}\n")
        self._begin()

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Update the bar."""
        self._grow(batch, logs)

    def on_test_begin(self, logs: Any = None) -> None:
        if not self._is_training:
            self._begin()

    def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
        if not self._is_training:
            self._grow(batch, logs)

    def on_predict_begin(self, logs: Any = None) -> None:
        self._begin()

    def on_predict_batch_end(self, batch: int, logs: Any = None) -> None:
        self._grow(batch, {})

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Write the epoch's logs."""
        self._end(logs)
        self._of_last = self._done

    def on_test_end(self, logs: Any = None) -> None:
        if not self._is_training:
            self._end(logs)

    def on_predict_end(self, logs: Any = None) -> None:
        self._end({})

    # -- writing -----------------------------------------------------------------------------------

    def _begin(self) -> None:
        steps = self.params.get("steps") or self._of_last
        # The logs of a batch hold the mean of the epoch already.
        self._bar = Progbar(
            steps, verbose=self.params.get("verbose", 1), interval=0.1, stateless_metrics=()
        )
        if self._is_training:
            self._bar.shown_in(self._output, self._label)
        self._done = 0

    def _grow(self, batch: int, logs: Any) -> None:
        self._done = batch + 1
        self._bar.update(self._done, _numbers(logs), finalize=False)

    def _end(self, logs: Any) -> None:
        # An epoch that ended early is over: its bar is full.
        self._bar.target = self._done
        self._bar.update(self._done, _numbers(logs), finalize=True)


def _write(text: str) -> None:
    """Write to the standard output, unless there is none or its reader is gone."""
    with contextlib.suppress(AttributeError, ValueError, OSError):
        sys.stdout.write(text)
        sys.stdout.flush()


def _numbers(logs: Any) -> list[tuple[str, Any]]:
    return list((logs or {}).items())
