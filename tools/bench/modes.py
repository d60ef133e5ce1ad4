"""The ways a function is run: as it is, converted, converted while a graph records, by TensorFlow.

Where TensorFlow can be imported, its own conversion is measured beside ours; nothing here needs it.
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
        name: what heads its column.
        prepare: takes a function of the user's to the one that runs.
        around: what is entered before it is called.
    """

    name: str
    prepare: Callable[[AnyCall], AnyCall]
    around: Callable[[], AbstractContextManager[object]] = contextlib.nullcontext


def as_it_is(function: AnyCall) -> AnyCall:
    """Return the function."""
    return function


def a_recording() -> AbstractContextManager[object]:
    """Return what makes a new graph record: converted code then looks at every value."""
    return Graph("bench").recording()


PLAIN = Mode("plain", as_it_is)
CONVERTED = Mode("converted", ag.to_graph)
RECORDING = Mode("while recording", ag.to_graph, a_recording)
OURS = (CONVERTED, RECORDING)


@functools.cache
def theirs() -> Mode | None:
    """Return the mode of TensorFlow's conversion, None where it cannot be imported."""
    if importlib.util.find_spec("tensorflow") is None:
        return None
    # It would say on every start which processor it could have been built for.
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
    try:
        tensorflow = importlib.import_module("tensorflow")
    except ImportError:
        return None
    tensorflow.get_logger().setLevel("CRITICAL")
    return Mode("TensorFlow", tensorflow.autograph.to_graph)


def all_modes() -> tuple[Mode, ...]:
    """Return the modes that can be measured here, the plain one first."""
    others = theirs()
    return (PLAIN, *OURS) if others is None else (PLAIN, *OURS, others)
