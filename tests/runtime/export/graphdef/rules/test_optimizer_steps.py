"""Steps of optimizers as TensorFlow's nodes; loaded there, the graph computes the same.

TensorFlow 2.21 gave, run twice on this file with the gradient below, for the variable and what is
kept for it, VALUES; so does this library.
"""

from __future__ import annotations

import numpy as np

import autograph as ag
import runtime as rt
import runtime.export
from runtime.nn.optimizers import Adam

GRADIENT = [1.0, -0.5, 0.25]
VALUES = [
    [0.8000022172927856, 2.1999971866607666, 2.800004005432129],
    [0.1899999976158142, -0.0949999988079071, 0.04749999940395355],
    [0.0019990000873804092, 0.0004997500218451023, 0.00012493750546127558],
]


def test_a_step_of_adam_agrees_with_tensorflow() -> None:
    variable, optimizer = rt.Variable([1.0, 2.0, 3.0], name="v"), Adam(0.1)

    @ag.function
    def f(gradient: rt.Tensor) -> object:
        optimizer.apply_gradients([(gradient, variable)])
        return variable.read_value(), *(each.read_value() for each in optimizer.variables[2:])

    nodes = f.get_concrete_function(rt.TensorSpec([3], "float32")).graph.as_graph_def().node
    writes = [node.op for node in nodes if node.op.startswith("Assign")]
    assert ["AssignVariableOp"] * 3 + ["AssignAddVariableOp"] == writes
    counted = next(node for node in nodes if node.op == "AssignAddVariableOp")
    assert {f"^{node.name}" for node in nodes if node.op == "AssignVariableOp"} < {*counted.input}
    reads = [node for node in nodes if node.op == "ReadVariableOp"][-3:]
    assert all(f"^{counted.name}" in node.input for node in reads)
    for _ in range(2):
        found = f(rt.constant(GRADIENT))
    for value, expected in zip(found, VALUES):
        np.testing.assert_allclose(value.numpy(), expected, rtol=1e-7)
