"""Graphs of functions in event files, as TensorBoard's graph plugin reads them."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError, GraphError, NoTraceError, TraceWarning
from tests.runtime.summary.event_files import events_in, plugins_in, values_in

summary = rt.summary


@pytest.fixture
def writer(tmp_path: Path) -> Any:
    yield summary.create_file_writer(tmp_path)
    summary.trace_off()


@ag.function
def chosen(x: Any) -> Any:
    if x > 0:
        x = x * 2
    else:
        x = rt.abs(x)
    while x < 10:
        x += 3
    return x


def graphs_in(folder: Path) -> list[Any]:
    """Return the function graphs of a trace, for TensorBoard."""
    from tensorboard.compat.proto.config_pb2 import RunMetadata

    (value,) = [array for _, tag, array in values_in(folder) if tag == "trace"]
    (content,) = value.tolist()
    found = RunMetadata.FromString(content).function_graphs
    return [each.pre_optimization_graph for each in found]


def test_a_trace_holds_the_graphs_of_the_functions_called(writer: Any, tmp_path: Path) -> None:
    chosen(rt.constant(1))
    other = ag.function(lambda x: x - 1)
    summary.trace_on(graph=True)
    chosen(rt.constant(2))
    chosen(rt.constant(-2))
    other(rt.constant(3.0))
    with writer.as_default():
        summary.trace_export("trace", step=3)
    assert [("trace", "graph_run_metadata_graph", b"1", 3)] == plugins_in(tmp_path)
    first, second = graphs_in(tmp_path)
    assert {"cond/then", "cond/else", "cond", "while/test", "while/body", "while"} < {
        node.name for node in first.node
    }
    assert ["x", "sub/y", "sub", "Identity"] == [node.name for node in second.node]


def test_the_names_of_regions_are_functions_of_the_library(writer: Any, tmp_path: Path) -> None:
    summary.trace_on()
    chosen(rt.constant(2))
    with writer.as_default():
        summary.trace_export("trace", step=0)
    (graph,) = graphs_in(tmp_path)
    ops = {node.name: node.op for node in graph.node}
    functions = {each.signature.name for each in graph.library.function}
    assert functions == {ops[name] for name in ops if "/" in name and ops[name] not in ("Const",)}


def test_tensorboard_serves_the_graph(writer: Any, tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.data_provider import MultiplexerDataProvider
    from tensorboard.backend.event_processing.plugin_event_multiplexer import EventMultiplexer
    from tensorboard.context import RequestContext
    from tensorboard.plugins.base_plugin import TBContext
    from tensorboard.plugins.graph.graphs_plugin import GraphsPlugin

    summary.trace_on()
    chosen(rt.constant(2))
    with writer.as_default():
        summary.trace_export("trace", step=0)
    runs = EventMultiplexer().AddRunsFromDirectory(str(tmp_path)).Reload()
    provider = MultiplexerDataProvider(runs, str(tmp_path))
    plugin = GraphsPlugin(TBContext(data_provider=provider, logdir=str(tmp_path)))
    tags = plugin.info_impl(RequestContext(), "")["."]["tags"]["trace"]
    assert tags["op_graph"]
    text, _ = plugin.graph_impl(RequestContext(), ".", "trace", False, "")
    assert 'name: "cond/then"' in text
    assert "_output_shapes" in text


def test_trace_on_with_a_profiler_warns(writer: Any) -> None:
    with pytest.warns(TraceWarning, match="no profiler"):
        summary.trace_on(graph=True, profiler=True)
    with pytest.warns(TraceWarning, match="on already"):
        summary.trace_on()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with writer.as_default():
            summary.trace_export("trace", step=0, profiler_outdir="anywhere")


def test_a_trace_needs_a_beginning_and_a_step(writer: Any) -> None:
    with writer.as_default():
        with pytest.raises(NoTraceError, match="call summary.trace_on"):
            summary.trace_export("trace", step=0)
        summary.trace_on()
        with pytest.raises(ArgumentValueError, match="needs a step"):
            summary.trace_export("trace")
        summary.trace_export("trace", step=0)
        with pytest.raises(ValueError, match="tracing is off"):
            summary.trace_export("trace", step=0)


def test_a_trace_without_graphs_writes_none(writer: Any, tmp_path: Path) -> None:
    summary.trace_on(graph=False)
    chosen(rt.constant(2))
    with writer.as_default():
        summary.trace_export("trace", step=0)
    assert [] == plugins_in(tmp_path)


def test_a_trace_is_begun_and_written_outside_of_functions(writer: Any) -> None:
    @ag.function
    def inside(x: Any) -> Any:
        summary.trace_on()
        summary.trace_export("trace", step=0)
        return x

    with pytest.warns(TraceWarning, match="inside of a function"):
        inside(rt.constant(1))


def test_a_graph_alone_is_the_graph_of_the_run(writer: Any, tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    from tensorboard.compat.proto.graph_pb2 import GraphDef

    traced = chosen.get_concrete_function(rt.constant(1)).graph
    assert not summary.graph(traced)
    with writer.as_default():
        assert summary.graph(traced)
        assert summary.graph(traced.as_graph_def())
        with pytest.raises(ArgumentValueError, match="neither a Graph"):
            summary.graph(3)
        with pytest.raises(GraphError, match="outside of functions"):
            ag.function(lambda: summary.graph(traced))()
    drawn, true = [GraphDef.FromString(e.graph_def) for e in events_in(tmp_path) if e.graph_def]
    assert "cond/then" in [node.name for node in drawn.node]
    assert "cond/then" not in [node.name for node in true.node]
