"""Callbacks that back up and restore a training, and swap in averaged weights."""

from __future__ import annotations

import os
import shutil
from typing import Any

from runtime.core.argument_checks import file_path, flag, shown
from runtime.core.context import recording
from runtime.errors import ArgumentValueError
from runtime.nn.callbacks.callback import Callback
from runtime.nn.optimizers.optimizer import AVERAGE
from runtime.state.variable import Variable
from runtime.train.archive import SUFFIX
from runtime.train.checkpoint import Checkpoint

_FILE = "latest"


class BackupAndRestore(Callback):
    """Backs up the state of a training in files, from which an interrupted `fit` continues.

    Args:
        backup_dir: a folder for this training alone.
        save_freq: "epoch", or a number of batches.
        double_checkpoint: no effect here: a backup is replaced in one step.
        delete_checkpoint: whether to remove the folder at the end of the training.

    Example:
        >>> import tempfile, runtime as rt
        >>> model = rt.nn.Sequential([rt.nn.layers.Dense(1)])
        >>> model.compile("sgd", "mse")
        >>> backup = BackupAndRestore(tempfile.mkdtemp() + "/backup")
        >>> history = model.fit([[1.0]], [[2.0]], epochs=2, verbose=0, callbacks=[backup])
        >>> history.epoch
        [0, 1]
    """

    def __init__(
        self,
        backup_dir: Any,
        save_freq: Any = "epoch",
        double_checkpoint: bool = False,
        delete_checkpoint: bool = True,
    ) -> None:
        super().__init__()
        is_number = isinstance(save_freq, int) and not isinstance(save_freq, bool) and save_freq > 0
        if not is_number and not (isinstance(save_freq, str) and save_freq == "epoch"):
            raise ArgumentValueError(
                f"save_freq must be 'epoch' or a number of batches, not {shown(save_freq)}"
            )
        self.backup_dir, self.save_freq = file_path(backup_dir, "backup_dir"), save_freq
        if not self.backup_dir:
            raise ArgumentValueError("backup_dir must be the name of a folder, not an empty string")
        self.double_checkpoint = flag(double_checkpoint, "double_checkpoint")
        self.delete_checkpoint = flag(delete_checkpoint, "delete_checkpoint")
        self._epoch, self._batches = 0, 0

    def _checkpoint(self) -> tuple[Checkpoint, Variable]:
        with recording(None):
            epoch = Variable(self._epoch, trainable=False, dtype="int64")
        return Checkpoint(model=self.model, epoch=epoch), epoch

    def on_train_begin(self, logs: Any = None) -> None:
        """Restore the model from the backup, if there is one."""
        path = os.path.join(self.backup_dir, _FILE)
        self._epoch = 0
        if not os.path.exists(path + SUFFIX):
            return
        optimizer = self.model.optimizer
        if self.model.built and optimizer is not None and not optimizer.built:
            optimizer.build(self.model.trainable_variables)
        checkpoint, epoch = self._checkpoint()
        checkpoint.read(path)
        self._epoch = int(epoch)
        self.model._training_state.first_epoch = self._epoch

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Store the number of the epoch."""
        self._epoch = epoch

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Make a backup if one is due."""
        self._batches += 1
        if self.save_freq != "epoch" and self._batches % self.save_freq == 0:
            self._save()

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Make a backup if one is due."""
        self._epoch = epoch + 1
        if self.save_freq == "epoch":
            self._save()

    def _save(self) -> None:
        os.makedirs(self.backup_dir, exist_ok=True)
        self._checkpoint()[0].write(os.path.join(self.backup_dir, _FILE))

    def on_train_end(self, logs: Any = None) -> None:
        """Remove the backup if `delete_checkpoint` is true."""
        if self.delete_checkpoint and os.path.exists(self.backup_dir):
            shutil.rmtree(self.backup_dir)


class SwapEMAWeights(Callback):
    """Evaluates and predicts with the optimizer's running means of the weights.

    Args:
        swap_on_epoch: whether the model has the means at the end of epochs, too, for callbacks that
            save it then, such as ModelCheckpoint.

    Raises:
        ArgumentValueError: the optimizer has no means (`use_ema=True`); raised at the first use.

    Example:
        >>> import autograph.runtime as rt
        >>> model = rt.nn.Sequential([rt.nn.layers.Dense(1)])
        >>> model.compile(rt.nn.optimizers.SGD(0.1, use_ema=True), "mse")
        >>> history = model.fit([[1.0]], [[2.0]], verbose=0, callbacks=[SwapEMAWeights()])
        >>> history.epoch
        [0]
    """

    def __init__(self, swap_on_epoch: bool = False) -> None:
        super().__init__()
        self.swap_on_epoch = flag(swap_on_epoch, "swap_on_epoch")
        self._has_means = False

    def _swap(self, means: bool) -> None:
        """Exchange weights and means, unless the model has the wanted ones (`means`) already."""
        if means == self._has_means:
            return
        optimizer = self.model.optimizer
        if not getattr(optimizer, "use_ema", False):
            raise ArgumentValueError(
                "SwapEMAWeights swaps the means that an optimizer keeps: write use_ema=True for it"
            )
        with recording(None):
            for variable in optimizer._slots.variables:
                mean = optimizer.slot(variable, AVERAGE)
                weight = variable.numpy().copy()
                variable.assign(mean.numpy())
                mean.assign(weight)
        self._has_means = means

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Restore the weights for the training."""
        if self.swap_on_epoch:
            self._swap(False)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Let later callbacks see the means."""
        if not self.swap_on_epoch:
            return
        self._swap(True)
        if epoch == (self.params or {}).get("epochs", 0) - 1:
            # The end of the training copies the means into the model.
            with recording(None):
                for variable in self.model.optimizer._slots.variables:
                    self.model.optimizer.slot(variable, AVERAGE).assign(variable.numpy())

    def on_test_begin(self, logs: Any = None) -> None:
        """Evaluate with the means."""
        self._swap(True)

    def on_test_end(self, logs: Any = None) -> None:
        """Restore the weights."""
        self._swap(False)

    def on_predict_begin(self, logs: Any = None) -> None:
        """Predict with the means."""
        self._swap(True)

    def on_predict_end(self, logs: Any = None) -> None:
        """Restore the weights."""
        self._swap(False)


class RemoteMonitor(Callback):
    """Not supported: it sends logs to a server, for which the standard library is enough.

    Raises:
        ArgumentValueError: always.

    >>> RemoteMonitor()
    Traceback (most recent call last):
    runtime.errors.ArgumentValueError: ...
    """

    def __init__(
        self,
        root: str = "http://localhost:9000",
        path: str = "/publish/epoch/end/",
        field: str = "data",
        headers: object = None,
        send_as_json: bool = False,
    ) -> None:
        raise ArgumentValueError(
            "RemoteMonitor is not supported: write "
            "LambdaCallback(on_epoch_end=lambda epoch, logs: ...) that sends them, as by "
            "urllib.request.urlopen"
        )
