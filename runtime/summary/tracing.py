"""Graph summaries: `trace_on` and `trace_export`."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from runtime.core.context import current_recorder
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import (
    ArgumentValueError,
    DTypeError,
    GraphError,
    NoTraceError,
    TraceWarning,
)
from runtime.export.graphdef.messages import GraphDef
from runtime.export.graphdef.tensorboard_graph import display_graph
from runtime.graph.graph import Graph
from runtime.ops.arguments import static_int
from runtime.ops.constant import constant
from runtime.summary.events import (
    BLOB_SEQUENCE,
    FunctionGraphs,
    PluginData,
    RunMetadata,
    SummaryMetadata,
)
from runtime.summary.summaries import write
from runtime.summary.traced_graphs import RUN_GRAPHS
from runtime.summary.writer import condition, current, step_or_default

_PLUGIN = "graph_run_metadata_graph"
# TensorBoard ignores data without this version.
_VERSION = b"1"


def trace_on(
    graph: bool = True, profiler: bool = False, profiler_outdir: str | None = None
) -> None:
    """Record the graphs of functions that are called from now on, for `trace_export`.

    Args:
        graph: whether to record graphs.
        profiler: there is no profiler here: a warning says so, and graphs are still recorded.
        profiler_outdir: not used.

    Example:
        >>> import tempfile, autograph as ag, runtime as rt
        >>> writer = rt.summary.create_file_writer(tempfile.mkdtemp())
        >>> double = ag.function(lambda x: x * 2)
        >>> rt.summary.trace_on(graph=True)
        >>> z = double(rt.constant(2))
        >>> with writer.as_default():
        ...     rt.summary.trace_export("double", step=0)
    """
    if _is_refused("cannot begin"):
        return
    if RUN_GRAPHS.is_on:
        _warn("tracing is on already")
        return
    if profiler:
        _warn("there is no profiler here: the trace will have graphs, and no times")
    RUN_GRAPHS.begin(graph)


def trace_export(
    name: str, step: TensorLike | None = None, profiler_outdir: str | None = None
) -> None:
    """Write the graphs recorded since `trace_on` with the default writer, and end the trace.

    Nothing is written if `trace_on` was told to record no graphs. While a function is traced, a
    warning says that this is no place for it, and nothing is done.

    TensorBoard shows them under Graphs; the branches of conditions and the bodies of loops can be
    opened there.

    Args:
        name: their tag.
        step: a whole number; None means the default step.
        profiler_outdir: not used.

    Raises:
        NoTraceError: no trace is on.
        ArgumentValueError: there is a writer, but no step.
        DTypeError: `name` is not text.

    >>> import tempfile, autograph as ag, runtime as rt
    >>> double = ag.function(lambda x: x * 2)
    >>> with rt.summary.create_file_writer(tempfile.mkdtemp()).as_default():
    ...     rt.summary.trace_on()
    ...     y = double(rt.constant(2))
    ...     rt.summary.trace_export("double", step=0)
    """
    if _is_refused("cannot be written"):
        return
    if not RUN_GRAPHS.is_on:
        raise NoTraceError("tracing is off: call summary.trace_on() before the function")
    if not isinstance(name, str):
        raise DTypeError(f"the name of a trace must be text, not {name!r}")
    if current().writer is not None:
        step = step_or_default(step)
    has_graphs = RUN_GRAPHS.is_noting
    noted = [
        FunctionGraphs(pre_optimization_graph=display_graph(each)) for each in RUN_GRAPHS.end()
    ]
    if not has_graphs:
        return
    content = np.empty(1, object)
    content[0] = RunMetadata(function_graphs=noted).SerializeToString()
    plugin = PluginData(plugin_name=_PLUGIN, content=_VERSION)
    metadata = SummaryMetadata(plugin_data=plugin, data_class=BLOB_SEQUENCE)
    write(name, content, step, metadata)


def trace_off() -> None:
    """End the trace, if one is on, and drop its records.

    >>> trace_on()
    >>> trace_off()
    >>> trace_export("nothing", step=0)
    Traceback (most recent call last):
    runtime.errors.NoTraceError: tracing is off: ...
    """
    RUN_GRAPHS.end()


def graph(graph_data: Any) -> Tensor:
    """Write a graph with the default writer; TensorBoard shows it as the graph of the run.

    Args:
        graph_data: a Graph, whose branches and loops can be opened; or a GraphDef, which is written
            unchanged.

    Returns:
        A scalar bool tensor: whether it was written.

    Raises:
        ArgumentValueError: the argument is neither.
        GraphError: another graph is being recorded.

    >>> graph(Graph("f"))  # no writer is the default
    <rt.Tensor: shape=(), dtype=bool, numpy=False>
    """
    if current_recorder() is not None:
        raise GraphError("a graph is written outside of functions and other graphs")
    writer = current().writer
    if writer is None or not condition():
        return constant(False)
    made = display_graph(graph_data) if isinstance(graph_data, Graph) else graph_data
    if not (isinstance(made, GraphDef) or type(made).__name__ == "GraphDef"):
        raise ArgumentValueError(f"{graph_data!r} is neither a Graph nor a GraphDef")
    writer.put(step=_step_of_run(), graph_def=made.SerializeToString())
    return constant(True)


def _step_of_run() -> int:
    return 0 if current().step is None else static_int(step_or_default(None), "a step")


def _is_refused(what: str) -> bool:
    if current_recorder() is None:
        return False
    _warn(f"a trace {what} inside of a function that is traced: do it outside", 4)
    return True


def _warn(message: str, frames: int = 3) -> None:
    warnings.warn(message, TraceWarning, stacklevel=frames)
