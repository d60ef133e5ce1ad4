"""`int` of a float, exported and imported again: it truncates, and raises where Python does."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import InvalidArgumentError
from runtime.executors.interpreter import run
from runtime.export.graphdef.importer import graph_between


def truncated(x):
    return int(x * 5)


@pytest.mark.parametrize("dtype", [rt.float16, rt.float32, rt.float64])
def test_a_float_is_truncated(dtype: rt.DType) -> None:
    spec = rt.TensorSpec((), dtype)
    graph = ag.function(truncated).get_concrete_function(spec).graph
    read = graph_between(graph.as_graph_def(), {"x:0": spec}, ["Identity:0"])
    for value in (0.5, -0.7, 0.0, 3000.0):
        (found,) = run(read, [np.array(value, dtype.np_dtype)])
        expected = graph.outputs[0].dtype.np_dtype, truncated(float(dtype.np_dtype.type(value)))
        assert expected == (found.dtype, int(found))
    for value in (np.nan, np.inf, -np.inf, *(() if dtype is rt.float16 else (1e38, -1e38))):
        with pytest.raises(InvalidArgumentError, match="a number does not fit int"):
            run(read, [np.array(value, dtype.np_dtype)])
