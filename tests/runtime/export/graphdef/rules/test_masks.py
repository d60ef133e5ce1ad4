"""Numbers, rows and arrays that are written under a mask, exported and imported again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.interpreter import run
from runtime.export.graphdef.importer import graph_between

SPECS = {"x": rt.TensorSpec((None, 2), rt.float32), "mask": rt.TensorSpec((None,), rt.bool)}
WRITES = [
    lambda x, mask: rt.set_item(x, mask, 0.0),
    lambda x, mask: rt.set_item(x, mask, x[0]),
    lambda x, mask: rt.set_item(x, mask, x[mask] * 2.0),
    lambda x, mask: rt.set_item(x, x > 2.0, -x[x > 2.0]),
]


@pytest.mark.parametrize("write", WRITES)
def test_items_are_written_under_a_mask(write: Any) -> None:
    graph = ag.function(write).get_concrete_function(*SPECS.values()).graph
    feeds = {f"{name}:0": spec for name, spec in SPECS.items()}
    read = graph_between(graph.as_graph_def(), feeds, ["Identity:0"])
    x = np.arange(6, dtype=np.float32).reshape(3, 2)
    for mask in ([True, False, True], [False] * 3):
        expected = write(rt.constant(x), rt.constant(mask)).numpy()
        (found,) = run(read, [x, np.array(mask)])
        np.testing.assert_array_equal(expected, found)
