"""`CSVLogger`, which writes the results of each epoch to a file."""

from __future__ import annotations

import csv
import os
from typing import Any

from runtime.core.argument_checks import file_path, flag
from runtime.core.files import StrPath, file_error
from runtime.nn.callbacks.callback import Callback


class CSVLogger(Callback):
    """Writes the logs of epochs to a comma-separated table, one line each.

    Args:
        filename: the name of the file.
        separator: the text between two numbers.
        append: whether to append lines to an existing file.

    Example:
        >>> import tempfile, runtime as rt
        >>> path = tempfile.mkdtemp() + "/logs.csv"
        >>> model = rt.nn.Sequential([rt.nn.layers.Dense(1)])
        >>> model.compile("sgd", "mse")
        >>> history = model.fit([[1.0]], [[2.0]], epochs=2, verbose=0, callbacks=[CSVLogger(path)])
        >>> with open(path) as file:
        ...     file.readline().strip(), len(file.readlines())
        ('epoch,loss', 2)
    """

    def __init__(self, filename: StrPath, separator: str = ",", append: bool = False) -> None:
        super().__init__()
        self.filename, self.separator = file_path(filename, "filename"), separator
        self.append = flag(append, "append")
        self._file: Any = None
        self._names: list[str] = []

    def on_train_begin(self, logs: Any = None) -> None:
        """Open the file."""
        self._is_new = not (self.append and os.path.exists(self.filename))
        try:
            self._file = open(self.filename, "a" if self.append else "w", newline="")
        except OSError as error:
            raise file_error(error, self.filename) from None
        self._names = []

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Write a line with the logs, and before the first one a line with their names."""
        try:
            self._write(epoch, logs or {})
        except OSError as error:
            raise file_error(error, self.filename) from None

    def _write(self, epoch: int, logs: Any) -> None:
        table = csv.writer(self._file, delimiter=self.separator, lineterminator="\n")
        if not self._names:
            self._names = sorted(logs)
            if self._is_new:
                table.writerow(["epoch", *self._names])
        table.writerow([epoch, *(logs.get(name, "NA") for name in self._names)])
        self._file.flush()

    def on_train_end(self, logs: Any = None) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
