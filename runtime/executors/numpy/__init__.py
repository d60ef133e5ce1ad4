"""The NumPy executor: a plan printed as one Python function, which is compiled once."""

from __future__ import annotations

from runtime.executors.numpy.compiled import Compiled as Compiled
from runtime.executors.numpy.compiled import compiled as compiled
from runtime.executors.numpy.compiled import run_graph as run_graph
