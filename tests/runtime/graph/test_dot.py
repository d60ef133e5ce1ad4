"""The DOT of a graph: edges join drawn nodes, frames nest as regions do, text is escaped."""

from __future__ import annotations

import re

from runtime.core.dtypes import int32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.graph import Graph, graph_dot, record_switch, record_while
from runtime.ops.constant import constant
from runtime.ops.effects.printing import print_
from runtime.ops.elementwise.arithmetic import add
from tests.runtime.graph.programs import INT, cond_in_while_in_cond

NODE = re.compile(r"^\s*(\w+) \[label=")
EDGE = re.compile(r"^  (\w+) -> (\w+)(?: \[(.*)\])?;$")
FRAME = re.compile(r"^\s*subgraph (cluster_\w+) \{$")


def drawn(dot: str) -> list[str]:
    return [match[1] for match in map(NODE.match, dot.splitlines()) if match]


def edges(dot: str) -> list[tuple[str, str, str]]:
    found = [match for match in map(EDGE.match, dot.splitlines()) if match]
    return [(match[1], match[2], match[3] or "") for match in found]


def frames(dot: str) -> dict[str, list[str]]:
    """Return, for each frame, the frames around it, outermost first."""
    found: dict[str, list[str]] = {}
    around: list[str] = []
    for line in dot.splitlines():
        frame = FRAME.match(line)
        if frame:
            found[frame[1]] = list(around)
            around.append(frame[1])
        elif line.strip() == "}" and around:
            around.pop()
    return found


def check_form(dot: str) -> None:
    nodes = drawn(dot)
    assert len(nodes) == len(set(nodes))
    assert dot.count("{") == dot.count("}")
    assert len(edges(dot)) == dot.count(" -> ")
    for start, end, attrs in edges(dot):
        assert {start, end} <= set(nodes)
        for frame in re.findall(r"lhead=(\w+)", attrs):
            assert frame in frames(dot)


def test_nested_control_flow_is_nested_frames() -> None:
    dot = graph_dot(cond_in_while_in_cond())
    check_form(dot)
    assert max(map(len, frames(dot).values())) == 5
    titles = re.findall(r"label=<(\w+)[^>]*>; labeljust", dot)
    assert titles == ["cond", "then", "while_loop", "test", "body", "cond", "then", "else", "else"]


def test_edges_follow_all_frames() -> None:
    lines = graph_dot(cond_in_while_in_cond()).splitlines()
    first = min(number for number, line in enumerate(lines) if " -> " in line)
    assert all(" -> " in line for line in lines[first:-1]) and lines[-1] == "}"


def test_dot_output_is_deterministic() -> None:
    assert graph_dot(cond_in_while_in_cond()) == graph_dot(cond_in_while_in_cond())


def test_a_node_shows_op_type_and_user_line() -> None:
    graph = Graph("f")
    x = graph.add_input(TensorSpec((2, None), int32), "x")
    with graph.recording():
        graph.set_outputs([add(x, x)])
    dot = graph_dot(graph)
    check_form(dot)
    (line,) = [line for line in dot.splitlines() if "<b>add</b>" in line]
    assert "int32[2, ?]" in line and "test_dot.py:" in line
    assert [(start, end) for start, end, _ in edges(dot)] == [
        ("g_p0", "g_n0"),
        ("g_p0", "g_n0"),
        ("g_n0", "result"),
    ]


def test_captures_are_labelled_at_their_region() -> None:
    dot = graph_dot(cond_in_while_in_cond())
    assert "captured: variable total" in dot and dot.count("captured: total") == 3


def test_effects_are_dotted_edges_in_order() -> None:
    graph = Graph("f")
    with graph.recording():
        print_("a")
        print_("b")
    assert [(a, b) for a, b, attrs in edges(graph_dot(graph)) if "dotted" in attrs] == [
        ("g_n0", "g_n1")
    ]


def test_text_of_users_cannot_break_out() -> None:
    graph = Graph('f" ] <b> \\ \n x')
    with graph.recording():
        print_('</b> "quoted" \\ & \n', constant('"<&>"'))
    dot = graph_dot(graph)
    check_form(dot)
    assert dot.splitlines()[0] == 'digraph "f\\" ] <b> \\\\   x" {'
    assert "&quot;&lt;&amp;&gt;&quot;" in dot


def test_a_switch_and_an_empty_branch() -> None:
    graph = Graph("f")
    index = graph.add_input(INT, "index")
    with graph.recording():
        branches = [Graph(f"branch_{number}", graph) for number in range(3)]
        with branches[1].recording():
            print_("one")
        record_switch(index, branches)
    dot = graph_dot(graph)
    check_form(dot)
    assert re.findall(r"label=<(branch \d)>", dot) == ["branch 0", "branch 1", "branch 2"]
    assert dot.count('"nothing"') == 2


def test_a_loop_shows_its_exits_and_maximum_iterations() -> None:
    graph = Graph("f")
    with graph.recording():
        record_loop(graph)
    dot = graph_dot(graph)
    check_form(dot)
    assert "do_break means break" in dot and "at most 5 iterations" in dot
    back = [(a, b) for a, b, attrs in edges(dot) if "constraint=false" in attrs]
    assert back == [("g_n2_next", "g_n2")]


def record_loop(graph: Graph) -> tuple[Tensor, ...]:
    test, body = Graph("test", graph), Graph("body", graph)
    for region in (test, body):
        region.add_input(TensorSpec((), "bool"), "do_break")
        region.add_input(INT, "i")
        region.set_outputs(region.parameters[: 1 if region is test else 2])
    return record_while(
        test, body, [constant(True), constant(1)], {0: "break"}, maximum_iterations=5
    )
