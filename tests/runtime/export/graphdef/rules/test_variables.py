"""Writes to places of variables as TensorFlow's nodes; loaded there, the graph computes the same.

TensorFlow 2.21 gave [[1, 2, 5, 1], [[9, 9], [2, 1], [6, 7]]] for this file, with i = 1.
"""

from __future__ import annotations

import autograph as ag
import runtime as rt
import runtime.export


def test_each_write_is_one_node_that_waits_for_those_before_it() -> None:
    v = rt.Variable([1.0, 2.0, 3.0, 4.0], name="v")
    m = rt.Variable(rt.zeros([3, 2]), name="m")

    @ag.function
    def f(i: rt.Tensor) -> object:
        v[i].assign(7.0)
        v[1 : i + 2].assign(5.0)
        v[::-2].assign([[1.0, 2.0]])
        m.scatter_nd_add([[i, 0]], [1.0])
        m.scatter_add(rt.IndexedSlices([[1.0, 1.0]], [i]))
        m.scatter_update(rt.IndexedSlices(3.0, [0]))
        m.scatter_mul(rt.IndexedSlices(3.0, [0]))
        m.scatter_nd_max([[2]], [[6.0, 7.0]])
        return v.read_value(), m.read_value()

    concrete = f.get_concrete_function(rt.TensorSpec((), rt.int32))
    nodes = [node for node in concrete.graph.as_graph_def().node if node.op.startswith("Resource")]
    assert [
        *["ResourceStridedSliceAssign"] * 3,
        *("ResourceScatterNdAdd", "ResourceScatterAdd", "ResourceScatterUpdate"),
        *("ResourceScatterMul", "ResourceScatterNdMax"),
    ] == [node.op for node in nodes]
    for earlier, later in zip(nodes, nodes[1:]):
        assert f"^{earlier.name}" in later.input or earlier.op == "ResourceStridedSliceAssign"
    found = [value.numpy().tolist() for value in f(rt.constant(1))]
    assert [[1.0, 2.0, 5.0, 1.0], [[9.0, 9.0], [2.0, 1.0], [6.0, 7.0]]] == found
