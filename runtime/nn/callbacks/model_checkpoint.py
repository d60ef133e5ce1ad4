"""`ModelCheckpoint`, which saves the model while it trains."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import file_path, flag, shown
from runtime.core.context import caller_origin
from runtime.core.files import StrPath
from runtime.core.source_names import warn_at
from runtime.errors import ArgumentValueError
from runtime.nn.callbacks.callback import Callback
from runtime.nn.callbacks.monitors import Monitor


class ModelCheckpoint(Callback):
    """Saves the model, or its weights, after epochs or after numbers of batches.

    Args:
        filepath: the name of the file, in which `{epoch}` and names of logs are filled in, such as
            "{epoch:02d}-{val_loss:.2f}.weights.h5".
        monitor: the name of the log entry that is compared.
        verbose: 1 to print a line at each save.
        save_best_only: whether to save only improvements on all earlier values.
        save_weights_only: whether a file named ".keras" or ".h5" has only the weights. Else it has
            the whole model, as `Model.save` writes it; files of other names have weights.
        mode: "min", "max" or "auto", which depends on the name.
        save_freq: "epoch", or a number of batches.
        initial_value_threshold: the initial value to improve on.

    Example:
        >>> import os, tempfile, runtime as rt
        >>> folder = tempfile.mkdtemp()
        >>> saving = ModelCheckpoint(folder + "/{epoch}.weights.h5", save_weights_only=True)
        >>> model = rt.nn.Sequential([rt.nn.layers.Dense(1)])
        >>> model.compile("sgd", "mse")
        >>> history = model.fit([[1.0]], [[2.0]], epochs=2, verbose=0, callbacks=[saving])
        >>> sorted(os.listdir(folder))
        ['1.weights.h5', '2.weights.h5']
    """

    def __init__(
        self,
        filepath: StrPath,
        monitor: str = "val_loss",
        verbose: int = 0,
        save_best_only: bool = False,
        save_weights_only: bool = False,
        mode: str = "auto",
        save_freq: Any = "epoch",
        initial_value_threshold: float | None = None,
    ) -> None:
        super().__init__()
        is_number = isinstance(save_freq, int) and not isinstance(save_freq, bool) and save_freq > 0
        if not is_number and not (isinstance(save_freq, str) and save_freq == "epoch"):
            raise ArgumentValueError(
                f"save_freq must be 'epoch' or a number of batches, not {shown(save_freq)}"
            )
        self.filepath, self.monitor = file_path(filepath, "filepath"), monitor
        self.verbose = verbose
        self.save_weights_only = flag(save_weights_only, "save_weights_only")
        self.save_best_only, self.save_freq = save_best_only, save_freq
        self._monitor = Monitor(monitor, mode)
        first = initial_value_threshold
        self.best = self._monitor.worst if first is None else first
        self._epoch, self._batches = 0, 0

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Store the number of the epoch."""
        self._epoch = epoch

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Save if that is due."""
        if self.save_freq == "epoch":
            return
        self._batches += 1
        if self._batches % self.save_freq == 0:
            self._save(self._epoch, batch, logs)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Save if that is due."""
        if self.save_freq == "epoch":
            self._save(epoch, None, logs)

    def _save(self, epoch: int, batch: int | None, logs: Any) -> None:
        if self.save_best_only:
            value = self._monitor.value_in(logs)
            if value is None or not self._monitor.is_better(value, self.best):
                return
            self.best = value
        path = self._path(epoch, batch, logs)
        is_whole = path.endswith((".keras", ".h5")) and not path.endswith(".weights.h5")
        saved = "weights"
        if is_whole and not self.save_weights_only:
            saved = self._save_model(path)
        else:
            self.model.save_weights(path)
        if self.verbose:
            print(f"Epoch {epoch + 1}: saved the {saved} to {path}")

    def _save_model(self, path: str) -> str:
        """Save the model, or its weights with a warning; return "model" or "weights"."""
        try:
            self.model.save(path)
        except ArgumentValueError as error:
            warn_at(caller_origin(), f"only weights are saved: {error.message}", UserWarning)
            self.save_weights_only = True
            self.model.save_weights(path)
            return "weights"
        return "model"

    def _path(self, epoch: int, batch: int | None, logs: Any) -> str:
        known = {**(logs or {}), "epoch": epoch + 1}
        known.update({} if batch is None else {"batch": batch + 1})
        try:
            return self.filepath.format(**known)
        except (KeyError, IndexError, ValueError) as error:
            raise ArgumentValueError(
                f"filepath {self.filepath!r} cannot be filled in with {', '.join(known)}: {error}"
            ) from None
