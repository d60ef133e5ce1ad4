"""The NumPy executor: a plan printed as one Python function, which is compiled once."""

from __future__ import annotations

from runtime.executors.numpy.compiled_function import CompiledFunction as CompiledFunction
from runtime.executors.numpy.compiled_function import compiled as compiled
