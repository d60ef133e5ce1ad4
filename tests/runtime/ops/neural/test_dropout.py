"""Dropout: dropped elements, the scale of the others, and valid rates."""

from __future__ import annotations

import math

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError
from runtime.executors.interpreter import run


def test_dropout_keeps_the_sum_on_average() -> None:
    rt.random.set_seed(0)
    dropped = rt.nn.dropout(rt.ones([5000]), 0.25).numpy()
    np.testing.assert_allclose(np.unique(dropped), [0, 1 / 0.75], rtol=1e-6)
    assert abs(dropped.mean() - 1) < 0.05
    rows = rt.nn.dropout(rt.ones([50, 4]), 0.5, noise_shape=[50, 1]).numpy()
    assert (rows == rows[:, :1]).all()


def test_dropout_checks_its_rate() -> None:
    x = rt.constant([1.0])
    assert rt.nn.dropout(x, 0) is x
    with pytest.raises(InvalidArgumentError, match="rate must be at least 0 and below 1"):
        rt.nn.dropout(x, 1.0)
    with pytest.raises(DTypeError, match="dropout works on floats"):
        rt.nn.dropout([1], 0.5)


def test_a_dynamic_rate_is_checked_by_the_run() -> None:
    graph = rt.Graph("dropout")
    rate = graph.add_input(rt.TensorSpec((), "float32"), "rate")
    with graph.recording():
        graph.set_outputs([rt.nn.dropout([1.0, 2.0], rate)])
    assert [1, 2] == run(graph, [np.float32(0)])[0].tolist()
    for wrong in (1.0, -0.5, math.nan):
        with pytest.raises(InvalidArgumentError, match="rate must be at least 0 and below 1"):
            run(graph, [np.float32(wrong)])
