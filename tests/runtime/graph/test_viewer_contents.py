"""The data of the viewer: exactly the nodes, edges and regions of the graph, in the user's names.

The reference is the printed text of the graph, which other code writes: it is parsed back here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

import autograph as ag
import runtime as rt
from runtime.graph import Graph, graph_text
from runtime.graph.viewer.contents import graph_contents
from runtime.graph.viewer.node_groups import MOST_ITEMS, NodeGroup, grouped, height, nodes_of
from tests.corpus import STAGED_PROGRAMS
from tests.each import for_each
from tests.runtime.graph.programs import cond_in_while_in_cond
from tests.suite_length import sample
from tests.traces import staged

# Names that the conversion makes, which no reader of the source knows.
MADE = re.compile(r"hidden_\d|do_return|retval|break_|continue_|loop_var|take__|the_value_of")


class Line(NamedTuple):
    """One line of a graph's text: an input, or a node with operands and earlier nodes."""

    op: str
    operands: tuple[tuple[int, int], ...] = ()
    after: tuple[int, ...] = ()


class Text:
    """The inputs and nodes in a graph's text, numbered in order; results and regions of each."""

    def __init__(self, text: str) -> None:
        self.lines: list[Line] = []
        self.results: list[tuple[tuple[int, int], ...]] = []
        self.owners: list[int | None] = []
        rows = iter(text.splitlines())
        for row in rows:
            if row.startswith("graph "):
                self.block(row, rows, None, "}")

    def block(self, head: str, rows: Iterator[str], owner: int | None, end: str) -> None:
        """Read one graph: its inputs, its nodes with their regions, its results."""
        at = len(self.owners)
        self.owners.append(owner)
        self.results.append(())
        names: dict[str, int] = {}
        for name in re.findall(r"%(\S+?): ", head.partition("(")[2]):
            names[name] = len(self.lines)
            self.lines.append(Line("input"))
        last = -1
        for row in rows:
            text = row.strip()
            if text.startswith("return"):
                self.results[at] = self.values(text, names)
                break
            if not text.startswith("%"):
                self.block(text, rows, last, "")
                continue
            last = len(self.lines)
            self.node(text, names)

    def node(self, text: str, names: dict[str, int]) -> None:
        made, _, rest = text.partition(" = ")
        op, _, rest = rest.partition("(")
        operands, _, rest = rest.partition(")")
        after = re.search(r" after ((?:%\S+?(?:, |$| ))+)", rest)
        earlier = re.findall(r"%([^\s,]+)", after[1]) if after else []
        line = Line(op, self.values(operands, names), tuple(names[each] for each in earlier))
        names[made.split(",")[0].strip().removeprefix("%")] = len(self.lines)
        self.lines.append(line)

    def values(self, text: str, names: dict[str, int]) -> tuple[tuple[int, int], ...]:
        found = re.findall(r"%([^\s,:]+)(?::(\d+))?", text)
        return tuple((names[name], int(index or 0)) for name, index in found)


def shown(contents: Any) -> list[Line]:
    """Return the vertices of the viewer's data in the form of the text's lines."""
    return [
        Line(
            "input" if each["kind"] in ("input", "capture") else each["op"],
            tuple((vertex, output) for vertex, output, _ in each["from"]),
            tuple(each.get("after", ())),
        )
        for each in contents["vertices"]
    ]


def flat(items: list[Any]) -> list[int]:
    return [
        at for item in items for at in ([item] if isinstance(item, int) else flat(item["items"]))
    ]


def assert_same(graph: Graph) -> None:
    contents, text = graph_contents(graph), Text(graph_text(graph))
    assert text.lines == shown(contents)
    results = [tuple((at, k) for at, k, _ in each["results"]) for each in contents["graphs"]]
    assert text.results == results
    assert text.owners == [each["owner"] for each in contents["graphs"]]
    for number, each in enumerate(contents["graphs"]):
        inside = [at for at, v in enumerate(contents["vertices"]) if v["graph"] == number]
        assert inside == [*each["inputs"], *flat(each["items"])]


def test_contents_are_those_of_the_text() -> None:
    assert_same(cond_in_while_in_cond())


@for_each("program", sample(STAGED_PROGRAMS, 80))
def test_contents_of_programs_are_those_of_the_text(program: Any) -> None:
    graph = staged(program).graph
    assert_same(graph)
    assert_groups(graph.nodes, grouped(graph.nodes))
    assert [] == [name for name in titles(graph) if MADE.search(name)]


def titles(graph: Graph) -> list[str]:
    """Return all titles and labels in the data of a graph."""
    contents = graph_contents(graph)
    edges = [label for each in contents["vertices"] for _, _, label in each["from"]]
    return [each["title"] for each in contents["vertices"]] + edges


def assert_groups(nodes: list[Any], items: Any) -> None:
    """Groups hold neighbours in order, and no list of items is long."""
    assert [node for item in items for node in nodes_of(item)] == nodes
    inner = [item for item in items if isinstance(item, NodeGroup)]
    assert height(items) <= MOST_ITEMS and all(len(list(nodes_of(each))) > 1 for each in inner)
    for each in inner:
        assert_groups(list(nodes_of(each)), each.items)


def test_a_long_graph_has_short_lists() -> None:
    graph = Graph("f")
    with graph.recording(), rt.name_scope("layer"):
        value = rt.constant(1.0)
        for _ in range(1000):
            value = value + value
            value = value * value
    assert_groups(graph.nodes, grouped(graph.nodes))


def test_a_long_line_has_short_lists() -> None:
    graph = Graph("f")
    with graph.recording():
        value = rt.constant(1.0)
        for _ in range(30):
            value = value + value
        rt.exp(value)
    assert_groups(graph.nodes, grouped(graph.nodes))


def test_scopes_are_groups_of_neighbours() -> None:
    graph = Graph("f")
    with graph.recording():
        with rt.name_scope("one"):
            a = rt.constant(1.0)
            with rt.name_scope("two"):
                b = a + a
                c = b * b
        d = c - c
        with rt.name_scope("one/"):
            rt.exp(rt.exp(d))
    first, alone, again = grouped(graph.nodes)
    assert isinstance(first, NodeGroup) and isinstance(again, NodeGroup)
    assert (first.title, again.title) == ("one", "one") and alone is d.node
    assert [
        item.title if isinstance(item, NodeGroup) else item.op.name for item in first.items
    ] == [
        "constant",
        "two",
    ]


@pytest.mark.parametrize("loops", [1, 3, 20])
def test_loops_of_a_long_graph_stay_apart(loops: int) -> None:
    graph = Graph("f")
    x = graph.add_input(rt.TensorSpec((), rt.float32), "x")
    with graph.recording():
        for _ in range(loops):
            for at in range(60):
                with rt.name_scope(f"block{at}"):
                    x = x * 2.0 + 1.0
            x = rt.while_loop(lambda x: x < 9.0, lambda x: (x * x,), [x])[0]
    items = grouped(graph.nodes)
    assert_groups(graph.nodes, items)
    alone = [item for item in items if not isinstance(item, NodeGroup) and item.regions]
    assert (loops if loops <= 3 else 0) == len(alone)


def test_a_run_of_scopes_is_named_after_them() -> None:
    graph = Graph("f")
    with graph.recording():
        value = rt.constant(1.0)
        for at in range(24):
            with rt.name_scope(f"layer_{at}"):
                value = rt.exp(value) * value
    titles = [each.title for each in grouped(graph.nodes) if isinstance(each, NodeGroup)]
    assert titles[:2] == ["layer_0 to layer_3", "layer_4 to layer_8"]


def contents_of(function: Any, *specs: rt.TensorSpec) -> Any:
    return graph_contents(ag.function(function).get_concrete_function(*specs).graph)


INT = rt.TensorSpec((), rt.int32)


def collatz(n):
    best = 0
    for start in range(1, n):
        steps = 0
        value = start
        while value != 1:
            if steps > 100:
                break
            value = value // 2 if value % 2 == 0 else 3 * value + 1
            steps += 1
        if steps > best:
            best = steps
    return best


def test_loops_have_the_names_of_the_source() -> None:
    vertices = contents_of(collatz, INT)["vertices"]
    (outer,) = (each for each in vertices if each["title"] == "for start in range(1, n)")
    (inner,) = (each for each in vertices if each["title"] == "while value != 1")
    assert [label for _, _, label in outer["from"]] == ["start", "best", "n"]
    assert [label for _, _, label in inner["from"]] == ["steps", "value", "break taken"]
    assert inner["outputs"] == ["steps", "value", "break taken"]


class Box:
    def __init__(self, value):
        self.last, self.items = value, {"a": value}


def places(x):
    box = Box(x)
    while box.last < 10:
        box.last = box.last + box.items["a"]
        box.items["a"] = box.items["a"] + 1
    return box.last


def test_places_are_written_as_in_the_source() -> None:
    vertices = contents_of(places, INT)["vertices"]
    (loop,) = (each for each in vertices if each["op"] == "while_loop")
    assert sorted(label for _, _, label in loop["from"]) == ['box.items["a"]', "box.last"]


def twice(x):
    return x + x


def assigned_values(x):
    y = rt.exp(x)
    z = twice(x * x)
    y += z
    w = twice(x + x) + y
    return w


def test_only_the_outermost_op_of_a_line_is_named_after_its_variable() -> None:
    vertices = contents_of(assigned_values, rt.TensorSpec((), rt.float32))["vertices"]
    names = [(each["op"], each.get("assigned")) for each in vertices if each["kind"] == "node"]
    expected = [("multiply", None), ("add", None), ("add", "y"), ("add", None), ("add", None)]
    assert names[-1:] == [("add", "w")]
    assert names[:-1] == [("exp", "y"), *expected]
