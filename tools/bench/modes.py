"""The ways to run a function: unconverted, converted, converted during recording, by TensorFlow.

Where TensorFlow can be imported, its own conversion is measured too; nothing here needs it.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.util
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import autograph as ag
from runtime.graph.graph import Graph

AnyCall = Callable[..., Any]


@dataclass(frozen=True)
class Mode:
    """One way to run a function.

    Attributes:
        name: the head of its column.
        prepare: takes the user's function to the function that runs.
        around: the context of the call.
    """

    name: str
    prepare: Callable[[AnyCall], AnyCall]
    around: Callable[[], AbstractContextManager[object]] = contextlib.nullcontext


def as_it_is(function: AnyCall) -> AnyCall:
    """Return the function."""
    return function


def a_recording() -> AbstractContextManager[object]:
    """Return a context manager in which a new graph records: converted code checks every value."""
    return Graph("bench").recording()


PLAIN = Mode("plain", as_it_is)
CONVERTED = Mode("converted", ag.to_graph)
RECORDING = Mode("while recording", ag.to_graph, a_recording)
OURS = (CONVERTED, RECORDING)


@functools.cache
def theirs() -> Mode | None:
    """Return the mode of TensorFlow's conversion, or None if it cannot be imported."""
    if importlib.util.find_spec("tensorflow") is None:
        return None
    # Otherwise each start prints a message about processor features.
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
    try:
        tensorflow = importlib.import_module("tensorflow")
    except ImportError:
        return None
    tensorflow.get_logger().setLevel("CRITICAL")
    return Mode("TensorFlow", tensorflow.autograph.to_graph)


def all_modes() -> tuple[Mode, ...]:
    """Return the modes available here, the plain one first."""
    others = theirs()
    return (PLAIN, *OURS) if others is None else (PLAIN, *OURS, others)
