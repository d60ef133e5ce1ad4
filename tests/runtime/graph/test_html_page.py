"""The page: one file, no network, and no user text as markup."""

from __future__ import annotations

import hashlib
import html
import json
import re
from pathlib import Path

import runtime.graph.html_page
from runtime.graph import Graph, graph_dot, graph_page, graph_text
from runtime.ops.constant import constant
from runtime.ops.effects.io import print_
from tests.runtime.graph.programs import cond_in_while_in_cond

VENDOR = Path(runtime.graph.html_page.__file__).parent / "vendor"
BUNDLE = (VENDOR / "viz-global.js").read_text("utf-8")


def own_part(page: str) -> str:
    """Return the page without the vendored program."""
    before, found, after = page.partition(BUNDLE)
    assert found
    return before + after


def test_the_page_holds_picture_text_and_source() -> None:
    graph = cond_in_while_in_cond()
    page = own_part(graph_page(graph, "My graph", source="def f(x): ...", converted="tf__f"))
    assert page.startswith("<!DOCTYPE html>") and page.count("<title>My graph</title>") == 1
    panes = [html.unescape(pane) for pane in re.findall(r"<pre[^>]*>(.*?)</pre>", page, re.S)]
    expected = ["def f(x): ...", "tf__f", graph_text(graph, origins=True), graph_dot(graph)]
    assert panes == [text.rstrip() for text in expected]
    names = re.findall(r'data-pane="\d">([^<]+)<', page)
    assert names == ["Source", "Converted", "Graph as text", "DOT"]
    assert "{{" not in page


def test_the_dot_for_the_script_is_the_dot() -> None:
    graph = cond_in_while_in_cond()
    literal = re.search(r"^const dot = (.*);$", own_part(graph_page(graph, "f")), re.M)
    assert literal and json.loads(literal[1]) == graph_dot(graph)


def test_a_large_graph_is_drawn_on_request_only() -> None:
    graph = Graph("f")
    with graph.recording():
        constant(1)
    page = own_part(graph_page(graph, "f"))
    assert "const automatic = true;" in page
    assert "<p>1 node; captures: 0</p>" in page and 'say("Drawing 1 node ...");' in page
    with graph.recording():
        for number in range(400):
            constant(number)
    page = own_part(graph_page(graph, "f"))
    assert "const automatic = false;" in page and "<p>401 nodes;" in page


def test_the_page_fetches_no_resources() -> None:
    page = own_part(graph_page(cond_in_while_in_cond(), "f"))
    assert not re.search(r"https?:|//\w|src=|href=|@import|url\(", page)
    assert "default-src 'none'" in page


def test_text_of_users_is_no_markup() -> None:
    graph = Graph("f")
    with graph.recording():
        print_("</script><script>alert(1)</script> {{dot}}", constant("<b>"))
    page = own_part(graph_page(graph, "<i>title</i>", source="if a < b: '</pre>'  # {{viz}}"))
    assert "alert(1)</script>" not in page and "<i>" not in page
    assert page.count("<script>") == page.count("</script>") == 2
    assert page.count("</pre>") == 3
    assert "{{viz}}" in page


def test_the_page_is_deterministic() -> None:
    assert graph_page(cond_in_while_in_cond(), "f") == graph_page(cond_in_while_in_cond(), "f")


def test_the_vendored_bundle_is_the_one_its_readme_names() -> None:
    digest = hashlib.sha256(BUNDLE.encode("utf-8")).hexdigest()
    readme = (VENDOR / "README.md").read_text("utf-8")
    assert f"SHA-256: `{digest}`" in readme and "Viz.js 3.31.0" in BUNDLE[:100]
    assert "Permission is hereby granted" in (VENDOR / "LICENSE").read_text("utf-8")
    assert "</script" not in BUNDLE and "\0" not in BUNDLE
