"""A rollback restores an earlier state of a graph."""

from __future__ import annotations

import numpy as np

from runtime.executors import run
from runtime.graph import Graph, verify
from runtime.graph.rollback import roll_back, save_state
from runtime.ops.constant import constant
from runtime.ops.effects.printing import print_
from runtime.ops.elementwise.arithmetic import add
from runtime.state.variable import Variable
from tests.runtime.graph.programs import INT


def recorded(detour: bool) -> Graph:
    graph = Graph("f")
    x = graph.add_input(INT, "x")
    first, second = constant(1), Variable(2, name="v")
    with graph.recording():
        y = add(x, first)
        second.assign_add(y)
        if detour:
            before = save_state(graph)
            print_(add(y, constant(5)), second)
            add(y, constant([1, 2]))
            Variable(3)
            roll_back(graph, before)
        graph.set_outputs([add(y, second.read_value())])
    return graph


def test_a_rollback_removes_all_recorded_nodes() -> None:
    graph = verify(recorded(detour=True))
    assert graph.as_text() == recorded(detour=False).as_text()
    assert graph.created_variables == []
    assert graph.effect == "write"
    assert run(graph, [np.array(1, np.int32)]) == [6]


def test_a_mark_can_be_restored_twice() -> None:
    graph = Graph("f")
    with graph.recording():
        before = save_state(graph)
        for _ in range(2):
            print_(constant(1))
            roll_back(graph, before)
        assert (len(graph), graph.effect) == (0, "none")
        print_("once")
    assert [node.name for node in verify(graph)] == ["print"]
