"""What is written while a model trains: a bar that grows, or a line for each epoch."""

from __future__ import annotations

import sys
from typing import Any

from runtime.nn.callbacks.callback import Callback
from runtime.nn.callbacks.progress_bar import Progbar


class ProgbarLogger(Callback):
    """Writes how far the training is: with `verbose=1` a bar, with 2 a line for each epoch.

    A bar is drawn over where the output is a terminal; elsewhere the end of it is written alone.
    """

    def __init__(self) -> None:
        super().__init__()
        self._is_training = False
        self._bar = Progbar(None, verbose=0)
        self._done = 0
        self._of_last: int | None = None

    def on_train_begin(self, logs: Any = None) -> None:
        """Take notice that evaluations from now on are parts of a training."""
        self._is_training = True

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Write which epoch begins."""
        if self.params.get("epochs", 1) > 1 and self.params.get("verbose"):
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
        steps = self.params.get("steps") or self._of_last
        # What a batch is told is the mean of the epoch already.
        self._bar = Progbar(
            steps, verbose=self.params.get("verbose", 1), interval=0.1, stateless_metrics=()
        )
        self._done = 0

    def _grow(self, batch: int, logs: Any) -> None:
        self._done = batch + 1
        self._bar.update(self._done, _numbers(logs), finalize=False)

    def _end(self, logs: Any) -> None:
        # An epoch that ended early is over: its bar is full.
        self._bar.target = self._done
        self._bar.update(self._done, _numbers(logs), finalize=True)

    def _write(self, text: str) -> None:
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except (AttributeError, ValueError, OSError):
            pass  # there is no output, or nobody reads it any more


def _numbers(logs: Any) -> list[tuple[str, Any]]:
    return list((logs or {}).items())
