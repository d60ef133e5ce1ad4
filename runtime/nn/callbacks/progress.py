"""What is written while a model trains: a bar that grows, or a line for each epoch."""

from __future__ import annotations

import sys
import time
from typing import Any

from runtime.nn.callbacks.callback import Callback

_WIDTH = 20
# Seconds between two looks of a bar on a terminal.
_PAUSE = 0.1


class ProgbarLogger(Callback):
    """Writes how far the training is: with `verbose=1` a bar, with 2 a line for each epoch.

    A bar is drawn over where the output is a terminal; elsewhere the end of it is written alone.
    """

    def __init__(self) -> None:
        super().__init__()
        self._is_training = False
        self._began = self._looked = 0.0
        self._done = 0
        self._of_last: int | None = None

    def on_train_begin(self, logs: Any = None) -> None:
        """Take notice that evaluations from now on are parts of a training."""
        self._is_training = True
        self._of_last = self.params.get("steps")

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Write which epoch begins."""
        if self.params.get("epochs", 1) > 1:
            self._write(f"Epoch {epoch + 1}/{self.params['epochs']}\n")
        self._begin()

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Let the bar grow."""
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
        """Write what the epoch came to."""
        self._end(logs)
        self._of_last = self._done

    def on_test_end(self, logs: Any = None) -> None:
        if not self._is_training:
            self._end(logs)

    def on_predict_end(self, logs: Any = None) -> None:
        self._end({})

    # -- writing -------------------------------------------------------------------------------

    def _begin(self) -> None:
        self._began, self._looked, self._done = time.monotonic(), 0.0, 0

    def _grow(self, batch: int, logs: Any) -> None:
        self._done = batch + 1
        now = time.monotonic()
        if self.params.get("verbose") != 1 or now - self._looked < _PAUSE or not _is_terminal():
            return
        self._looked = now
        steps = self.params.get("steps") or self._of_last
        share = 0.0 if not steps else min(1.0, self._done / steps)
        done = int(_WIDTH * share)
        bar = f"[{'=' * done}{'.' * (_WIDTH - done)}]"
        left = (now - self._began) / self._done * ((steps or self._done) - self._done)
        self._write(f"\r\x1b[K{self._counted(steps)} {bar} {left:.0f}s{_text(logs)}")

    def _end(self, logs: Any) -> None:
        seconds = time.monotonic() - self._began
        each = _duration(seconds / max(1, self._done))
        clear = "\r\x1b[K" if self.params.get("verbose") == 1 and _is_terminal() else ""
        counted = self._counted(self._done)
        self._write(f"{clear}{counted} - {seconds:.0f}s - {each}/step{_text(logs)}\n")

    def _counted(self, steps: int | None) -> str:
        return f"{self._done}/{'?' if steps is None else steps}"

    def _write(self, text: str) -> None:
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except (AttributeError, ValueError, OSError):
            pass  # there is no output, or nobody reads it any more


def _is_terminal() -> bool:
    is_a_terminal = getattr(sys.stdout, "isatty", None)
    try:
        return bool(is_a_terminal is not None and is_a_terminal())
    except ValueError:
        return False


def _duration(seconds: float) -> str:
    """Return a time as it is read best.

    >>> _duration(0.0123), _duration(2.5), _duration(0.00004)
    ('12ms', '2s', '40us')
    """
    if seconds < 0.001:
        return f"{seconds * 1e6:.0f}us"
    return f"{seconds * 1e3:.0f}ms" if seconds < 1 else f"{seconds:.0f}s"


def _text(logs: Any) -> str:
    """Return logs as text.

    >>> _text({"accuracy": 0.5, "loss": 0.00001})
    ' - accuracy: 0.5000 - loss: 1.0000e-05'
    """
    return "".join(f" - {name}: {_shown(value)}" for name, value in (logs or {}).items())


def _shown(value: Any) -> str:
    if not isinstance(value, (int, float)):
        return str(value)
    return f"{value:.4f}" if value == 0 or abs(value) > 1e-3 else f"{value:.4e}"
