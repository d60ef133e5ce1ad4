"""Graphs that several tests use."""

from __future__ import annotations

from runtime.core.dtypes import bool_, float32, int32
from runtime.core.spec import TensorSpec
from runtime.graph import Graph, record_cond, record_while
from runtime.ops.constant import constant
from runtime.ops.effects.printing import print_
from runtime.ops.elementwise.arithmetic import add, multiply
from runtime.ops.elementwise.comparison import less
from runtime.state.variable import Variable

INT = TensorSpec((), int32)


def cond_in_while_in_cond() -> Graph:
    """Build: if p: (for i in range(n): s += x if i < 3, else print and assign) else: return x."""
    total = Variable(0.0, name="total")
    graph = Graph("nested")
    p = graph.add_input(TensorSpec((), bool_), "p")
    n = graph.add_input(INT, "n")
    x = graph.add_input(TensorSpec((), float32), "x")
    with graph.recording():
        then, orelse = Graph("then", graph), Graph("else", graph)
        with then.recording():
            test, body = Graph("test", then), Graph("body", then)
            for region in (test, body):
                region.add_input(INT, "i")
                region.add_input(TensorSpec((), float32), "s")
            with test.recording():
                test.set_outputs([less(test.parameters[0], n)])
            with body.recording():
                i, s = body.parameters
                small, large = Graph("then", body), Graph("else", body)
                with small.recording():
                    small.set_outputs([add(s, x)])
                with large.recording():
                    print_("large", i)
                    total.assign_add(s)
                    large.set_outputs([s])
                (s,) = record_cond(less(i, 3), small, large)
                body.set_outputs([add(i, 1), s])
            outcome = record_while(test, body, [constant(0), multiply(x, 2.0)])
            then.set_outputs([outcome[1]])
        orelse.set_outputs([x])
        graph.set_outputs(record_cond(p, then, orelse))
    return graph
