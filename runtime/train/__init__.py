"""Checkpoints: the values of variables and other training state, in files and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.train import experimental as experimental
    from runtime.train.checkpoint import Checkpoint as Checkpoint
    from runtime.train.manager import CheckpointManager as CheckpointManager
    from runtime.train.moving_averages import ExponentialMovingAverage as ExponentialMovingAverage
    from runtime.train.reader import CheckpointReader as CheckpointReader
    from runtime.train.reader import CheckpointState as CheckpointState
    from runtime.train.reader import get_checkpoint_state as get_checkpoint_state
    from runtime.train.reader import latest_checkpoint as latest_checkpoint
    from runtime.train.reader import list_variables as list_variables
    from runtime.train.reader import load_checkpoint as load_checkpoint
    from runtime.train.reader import load_variable as load_variable
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.train": "experimental",
            "runtime.train.moving_averages": "ExponentialMovingAverage",
            "runtime.train.checkpoint": "Checkpoint",
            "runtime.train.manager": "CheckpointManager",
            "runtime.train.reader": (
                "CheckpointReader CheckpointState get_checkpoint_state latest_checkpoint "
                "list_variables load_checkpoint load_variable"
            ),
        },
    )
