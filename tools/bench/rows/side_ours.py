"""Our side: each workload as a graph, eagerly, by the interpreter, and plain."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import autograph as ag
import runtime as rt
from autograph.compat import tensorflow as tf
from runtime.executors import interpreter
from tools.bench.rows import plain, sources
from tools.bench.rows.data import generator_arrays
from tools.bench.rows.tensors import makers_for
from tools.bench.rows.timed import Timed

Run = Callable[[], Any]
_MAKERS = makers_for(tf, "ours")
# The loop of which `dataset_loop` is the other half.
_HALF = "dataset_arrays"


def _graph(row: str) -> Run:
    made = _MAKERS[row]()
    staged, args = ag.function(made.function), made.args
    return lambda: staged(*args)


def in_engine(row: str, engine: str) -> Run:
    """Return a workload as a graph that an engine runs."""
    made = _MAKERS[row]()
    staged, args = ag.function(made.function, executor=engine), made.args
    return lambda: staged(*args)


def _eager(row: str) -> Run:
    made = _MAKERS[row]()
    function, args = made.function, made.args
    return lambda: function(*args)


def _interpreted(row: str) -> Run:
    made = _MAKERS[row]()
    graph = ag.function(made.function).get_concrete_function(*made.args).graph
    arrays = [np.asarray(each) for each in made.args if isinstance(each, rt.Tensor)]
    return lambda: interpreter.run(graph, arrays)


def _made_with(way: Callable[[str], Run]) -> dict[str, Callable[[], Run]]:
    return {row: lambda row=row: way(row) for row in _MAKERS if row != _HALF}  # type: ignore[misc]


def compile_500() -> Run:
    """Convert and trace 500 operations, up to the first result."""
    x = rt.constant(generator_arrays("compile_500")["x"])

    def run() -> Timed:
        function = sources.fresh(sources.straight_source(), "straight", tf)
        began = time.process_time()
        result = ag.function(function)(x)
        return Timed(time.process_time() - began, result)

    return run


def nested_10() -> Run:
    """Convert and trace control flow ten deep."""
    n = rt.constant(np.int32(2))

    def run() -> Timed:
        function = sources.fresh(sources.nested_source(), "nested", tf)
        began = time.process_time()
        concrete = ag.function(function).get_concrete_function(n)
        return Timed(time.process_time() - began, concrete(n))

    return run


_COLD = {"compile_500": compile_500, "nested_10": nested_10}

MODES: dict[str, dict[str, Callable[[], Run]]] = {
    "graph": {**_made_with(_graph), **_COLD},
    "eager": _made_with(_eager),
    "interpreter": _made_with(_interpreted),
    "arrays": {"dataset_loop": lambda: _graph(_HALF)},
    **plain.MODES,
}
VERSIONS = {"autograph": ag.__version__, "numpy": np.__version__}
