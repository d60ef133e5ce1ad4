"""Keeping what training has come to: checkpoints of variables, in files and back."""

from __future__ import annotations

from runtime.train import experimental as experimental
from runtime.train.averages import ExponentialMovingAverage as ExponentialMovingAverage
from runtime.train.checkpoint import Checkpoint as Checkpoint
from runtime.train.manager import CheckpointManager as CheckpointManager
from runtime.train.reader import CheckpointReader as CheckpointReader
from runtime.train.reader import CheckpointState as CheckpointState
from runtime.train.reader import get_checkpoint_state as get_checkpoint_state
from runtime.train.reader import load_checkpoint as load_checkpoint
from runtime.train.reading import latest_checkpoint as latest_checkpoint
from runtime.train.reading import list_variables as list_variables
from runtime.train.reading import load_variable as load_variable
