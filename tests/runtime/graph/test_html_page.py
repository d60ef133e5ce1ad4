"""The page: one file, no network, no user text as markup, and not much larger than its graph."""

from __future__ import annotations

import html
import json
import re
from typing import Any

from runtime.graph import Graph, graph_page, graph_text
from runtime.graph.html_page import SourceText
from runtime.graph.viewer.contents import graph_contents
from runtime.ops.constant import constant
from runtime.ops.effects.printing import print_
from runtime.ops.elementwise.arithmetic import add
from tests.runtime.graph.programs import cond_in_while_in_cond

# Style, markup and script of a page without a graph.
LARGEST_EMPTY_PAGE = 80_000
# For a node: its data, and its line in the pane with the text.
LARGEST_NODE = 450


def data_of(page: str) -> Any:
    """Return the data that the script of a page reads."""
    (text,) = re.findall(r'<script type="application/json">(.*?)</script>', page, re.S)
    return json.loads(text)


def panes_of(page: str) -> list[str]:
    panes = re.findall(r"<pre[^>]*>(.*?)</pre>", page, re.S)
    return [html.unescape(re.sub(r"<[^>]*>", "", pane)).rstrip() for pane in panes]


def test_the_page_holds_data_text_and_source() -> None:
    graph = cond_in_while_in_cond()
    page = graph_page(graph, "My graph", source="def f(x): ...", converted="tf__f")
    assert page.startswith("<!DOCTYPE html>") and page.count("<title>My graph</title>") == 1
    assert panes_of(page) == ["def f(x): ...", "tf__f", graph_text(graph, origins=True).rstrip()]
    assert re.findall(r'data-shows="\d">([^<]+)<', page) == ["Source", "Converted", "Graph as text"]
    assert data_of(page) == graph_contents(graph)
    assert "{{" not in page


def test_lines_of_source_have_their_numbers_and_file() -> None:
    source = SourceText("def f(x):\n    return x < 1\n", "model.py", 7)
    page = graph_page(cond_in_while_in_cond(), "f", source)
    assert re.findall(r'data-file="(.*?)"', page) == ["model.py"]
    rows = re.findall(r'<span data-line="(\d+)"><i>(\d+)</i>(.*?)\n</span>', page)
    assert rows == [("7", "7", "def f(x):"), ("8", "8", "    return x &lt; 1")]


def test_the_page_fetches_no_resources() -> None:
    page = graph_page(cond_in_while_in_cond(), "f").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|//\w|src=|href=|@import|url\((?!#)", page)
    assert "default-src 'none'" in page


def test_text_of_users_is_no_markup() -> None:
    graph = Graph("f")
    hostile = "</script><script>alert(1)</script> {{contents}} <!--<script>"
    with graph.recording():
        print_(hostile, constant("<b>"))
    page = graph_page(graph, "<i>title</i>", source="if a < b: '</pre>'  # {{viewer}}")
    assert "alert(1)</script>" not in page and "<i>title" not in page and "<!--" not in page
    assert len(re.findall("<script", page)) == page.count("</script>") == 2
    assert page.count("</pre>") == 2
    assert "{{viewer}}" in page
    shown = [value for vertex in data_of(page)["vertices"] for _, value in vertex.get("attrs", [])]
    assert any(hostile[:40] in value for value in shown)


def test_the_page_is_deterministic() -> None:
    assert graph_page(cond_in_while_in_cond(), "f") == graph_page(cond_in_while_in_cond(), "f")


def test_the_page_is_not_much_larger_than_its_graph() -> None:
    empty = len(graph_page(Graph("f"), "f"))
    assert empty <= LARGEST_EMPTY_PAGE
    graph = Graph("f")
    with graph.recording():
        value = constant(1.0)
        for _ in range(5000):
            value = add(value, value)
    assert len(graph_page(graph, "f")) - empty <= LARGEST_NODE * 5001


def test_a_single_node_is_no_plural() -> None:
    graph = Graph("f")
    with graph.recording():
        constant(1)
    assert "<p>1 node; captures: 0</p>" in graph_page(graph, "f")
