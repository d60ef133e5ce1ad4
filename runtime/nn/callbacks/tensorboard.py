"""The callback that writes TensorBoard logs."""

from __future__ import annotations

import os
from typing import Any

from runtime import summary
from runtime.core.argument_checks import file_path, shown
from runtime.core.files import StrPath
from runtime.errors import ArgumentValueError
from runtime.nn.callbacks.callback import Callback

_PREFIX = "val_"


class TensorBoard(Callback):
    """Writes the logs of epochs and batches for TensorBoard, and the weights as histograms.

    Logs of the training go to the folder `train` in `log_dir`, those of evaluations to
    `validation`.

    Args:
        log_dir: a folder, created if missing.
        histogram_freq: the number of epochs between two histograms of the weights; 0 for none.
        update_freq: "epoch", "batch", or the number of batches between two writes of their logs.
        write_graph, write_images, write_steps_per_second, profile_batch: no effect here.
        embeddings_freq, embeddings_metadata: no effect here.

    Example:
        >>> import os, tempfile, runtime as rt
        >>> folder = tempfile.mkdtemp()
        >>> model = rt.nn.Sequential([rt.nn.layers.Dense(1)])
        >>> model.compile("sgd", "mse")
        >>> history = model.fit([[1.0]], [[2.0]], verbose=0, callbacks=[TensorBoard(folder)])
        >>> os.listdir(folder)
        ['train']
    """

    def __init__(
        self,
        log_dir: StrPath = "logs",
        histogram_freq: int = 0,
        write_graph: bool = True,
        write_images: bool = False,
        write_steps_per_second: bool = False,
        update_freq: Any = "epoch",
        profile_batch: Any = 0,
        embeddings_freq: int = 0,
        embeddings_metadata: Any = None,
    ) -> None:
        super().__init__()
        is_word = isinstance(update_freq, str) and update_freq in ("epoch", "batch")
        if not is_word and not (isinstance(update_freq, int) and update_freq > 0):
            raise ArgumentValueError(
                "update_freq must be 'epoch', 'batch' or a number of batches, not "
                f"{shown(update_freq)}"
            )
        self.log_dir, self.histogram_freq = file_path(log_dir, "log_dir"), histogram_freq
        self.update_freq = 1 if update_freq == "batch" else update_freq
        self._writers: dict[str, Any] = {}
        self._batches = 0

    def on_train_begin(self, logs: Any = None) -> None:
        """Begin to count batches."""
        self._batches = 0

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Write the logs of the batch, if it is time."""
        self._batches += 1
        if self.update_freq != "epoch" and self._batches % self.update_freq == 0:
            named = {f"batch_{name}": value for name, value in (logs or {}).items()}
            self._write("train", named, self._batches)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Write the logs of the epoch, and the weights, if it is time."""
        logs = logs or {}
        own = {f"epoch_{n}": v for n, v in logs.items() if not n.startswith(_PREFIX)}
        held_out = {
            f"epoch_{n.removeprefix(_PREFIX)}": v for n, v in logs.items() if n.startswith(_PREFIX)
        }
        self._write("train", own, epoch)
        self._write("validation", held_out, epoch)
        if self.histogram_freq and epoch % self.histogram_freq == 0:
            with self._writer("train").as_default():
                for weight in self.model.weights:
                    summary.histogram(weight.path, weight, step=epoch)

    def on_train_end(self, logs: Any = None) -> None:
        """Finish the files."""
        for writer in self._writers.values():
            writer.close()
        self._writers = {}

    def _write(self, part: str, logs: Any, step: int) -> None:
        if logs:
            with self._writer(part).as_default():
                for name, value in logs.items():
                    summary.scalar(name, value, step=step)

    def _writer(self, part: str) -> Any:
        if part not in self._writers:
            folder = os.path.join(self.log_dir, part)
            self._writers[part] = summary.create_file_writer(folder)
        return self._writers[part]
