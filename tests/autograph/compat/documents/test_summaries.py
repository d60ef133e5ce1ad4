"""TensorFlow's introductory example of a graph in TensorBoard.

Topics, each in both spellings: a writer for a folder with the time in its name, a trace that is
asked for a profile as well, one call of a function of constants, and the export of its graph.
"""

from __future__ import annotations

from datetime import datetime

import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tensorflow as tf
from runtime.errors import TraceWarning
from tests.autograph.compat.documents.spellings import both
from tests.runtime.summary.event_files import values_in


def written_in_compat(folder):
    @tf.function
    def raised(x):
        column = tf.constant([[1.0], [5.0]])
        return column + tf.constant(2.0)

    writer = tf.summary.create_file_writer(folder)
    tf.summary.trace_on(graph=True, profiler=True)
    result = raised(3)
    with writer.as_default():
        tf.summary.trace_export(name="raised_trace", step=0, profiler_outdir=folder)
    return result


def written_in_native(folder):
    @ag.function
    def raised(x):
        column = rt.constant([[1.0], [5.0]])
        return column + rt.constant(2.0)

    writer = rt.summary.create_file_writer(folder)
    rt.summary.trace_on(graph=True, profiler=True)
    result = raised(3)
    with writer.as_default():
        rt.summary.trace_export(name="raised_trace", step=0, profiler_outdir=folder)
    return result


@both(written_in_compat, written_in_native)
def test_the_graph_of_a_call_is_written_for_tensorboard(program, tmp_path):
    folder = tmp_path / "logs" / "func" / datetime.now().strftime("%Y%m%d-%H%M%S")
    with pytest.warns(TraceWarning, match="no profiler here: the trace will have graphs"):
        result = program(str(folder))
    assert [[3.0], [7.0]] == result.numpy().tolist()
    ((step, name, content),) = values_in(folder)
    assert (0, "raised_trace") == (step, name)
    from tensorboard.compat.proto.config_pb2 import RunMetadata

    (graph,) = RunMetadata.FromString(content.item()).function_graphs
    ops = [node.op for node in graph.pre_optimization_graph.node]
    assert ["Const", "Const", "AddV2", "Identity"] == ops
