"""`ag.profile`: runs a function and measures the time of each node and line."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from autograph.errors import StagingError
from autograph.functions.concrete_functions.concrete_function import ConcreteFunction
from autograph.functions.concrete_functions.executable import executable_of
from autograph.functions.eager import SWITCH
from autograph.functions.function import Function
from autograph.insight.profile_result import NodeTime, Profile
from autograph.operators.tracebacks import drop_internal_frames
from runtime.core.context import current_recorder, current_watchers
from runtime.executors.profiling import Cost, Profiler
from runtime.graph.effects import STRENGTH
from runtime.graph.graph import Graph
from runtime.summary.traced_graphs import RUN_GRAPHS

# Runs by the usual executor are repeated until there are so many, or they have taken so long.
_MOST_RUNS, _SECONDS = 15, 0.5


def profile(f: Callable[..., object], /, *args: object, **kwargs: object) -> Profile:
    """Call a function as a graph, once, and measure the time of each node and each line.

    The interpreter runs the traced graph, without passes, node by node, and measures the time of
    each node; this shows the share of each node, and takes longer than a usual call. A graph
    without effects is run again by its usual executor, several times, and `executor_seconds` is the
    median of these times. The time of a trace, which the first call may need, is not included.

    Args:
        f: a Function, a concrete function, or a Python function, which becomes a Function.
        args, kwargs: the arguments of the call.

    Returns:
        A Profile: `print` shows it as a table, `nodes` and `lines` are its rows, `result` is the
        result of the call, `save` writes it for Perfetto or Chrome's `about:tracing`.

    Raises:
        StagingError: the call runs no graph: another function is traced, a tape is open, or
            functions run eagerly.
        Exception: the call raises it.

    Example:
        >>> import autograph as ag, runtime as rt
        >>> def total(n):
        ...     i, sum = 0, 0
        ...     while i < n:
        ...         i, sum = i + 1, sum + i
        ...     return sum
        >>> profiled = ag.profile(total, rt.constant(5))
        >>> profiled.result
        <rt.Tensor: shape=(), dtype=int32, numpy=10>
        >>> [(node.name, node.count) for node in profiled.nodes if node.op != "constant"]
        [('while_loop', 1), ('less', 6), ('add', 5), ('add_1', 5)]
    """
    _check_context()
    called = f if isinstance(f, (Function, ConcreteFunction)) else Function(f)
    profiler = Profiler()
    runs: list[tuple[Graph, Sequence[Any]]] = []

    def run(graph: Graph, arrays: Sequence[Any]) -> Sequence[Any]:
        if not profiler.is_running:
            runs.append((graph, arrays))
        return profiler.run(graph, arrays)

    try:
        with RUN_GRAPHS.run_by(run):
            result = called(*args, **kwargs)
    except BaseException as error:
        drop_internal_frames(error)
        raise
    # Earlier runs were part of the trace.
    graph, arrays = runs[-1]
    return Profile(
        _call_text(called, graph),
        tuple(map(_node_time, profiler.costs)),
        tuple(profiler.events),
        profiler.left_out,
        profiler.seconds,
        _unmeasured_seconds(graph, arrays),
        result,
    )


def _check_context() -> None:
    if current_recorder() is not None:
        raise StagingError(
            "profile cannot run while a graph is traced: call it outside of the traced function"
        )
    if current_watchers():
        raise StagingError(
            "profile cannot run under an open GradientTape: profile a function that opens the tape"
        )
    if SWITCH.on:
        raise StagingError(
            "functions run eagerly, so that there is no graph: call run_functions_eagerly(False)"
        )


def _call_text(called: Function | ConcreteFunction, graph: Graph) -> str:
    traces = called.traces.traces() if isinstance(called, Function) else [called]
    texts = [each.call_text() for each in traces if each.graph is graph]
    return texts[0] if texts else called.name


def _node_time(cost: Cost) -> NodeTime:
    node = cost.node
    own = max(cost.seconds - cost.inside, 0.0)
    return NodeTime(node.name, node.op.name, node.origin, cost.depth, cost.count, cost.seconds, own)


def _unmeasured_seconds(graph: Graph, arrays: Sequence[Any]) -> float | None:
    """Return the seconds of a run of a graph by its usual executor; None if it has effects.

    They are the median of several runs, after one that may still prepare the executor.
    """
    if any(STRENGTH[node.effect] > STRENGTH["read"] for node in graph.nodes):
        return None
    execute = executable_of(graph)
    execute(arrays)
    began, seconds = time.perf_counter(), list[float]()
    while len(seconds) < _MOST_RUNS and time.perf_counter() - began < _SECONDS or not seconds:
        start = time.perf_counter()
        execute(arrays)
        seconds.append(time.perf_counter() - start)
    return sorted(seconds)[len(seconds) // 2]
