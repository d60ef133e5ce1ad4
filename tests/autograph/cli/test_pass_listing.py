"""The listing and the page of passes show the changes of each, with numbers of nodes."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest

from autograph.__main__ import main
from autograph.cli.listing import passes_of, passes_text
from autograph.cli.passes_page import passes_page
from autograph.cli.terminal import Style
from runtime.graph.viewer.contents import graph_contents
from tests.runtime.passes.graphs import INT, graph_of


def test_each_pass_that_changes_something_is_shown() -> None:
    graph = graph_of(lambda x: (x * 1 + x) * (x + x), INT)
    lines = list(passes_text(graph, Style(False, 30)))
    headings = [line.rstrip("- ") for line in lines if line.startswith("-- ")]
    assert [
        "-- traced: 5 nodes",
        "-- simplify: 5 -> 4 nodes",
        "-- cse: 4 -> 3 nodes",
        "-- dce: 3 -> 2 nodes",
    ] == headings
    idle = (
        "inline, constant_folding, fold_branches, unroll, branch_results, loop_variables, licm, "
        "fuse_nodes, scatter_accumulate"
    )
    assert f"changed nothing: {idle}" == lines[-1]
    assert "%add = add(%x0, %x0) : int32" in lines[-2]


def test_the_page_has_the_graph_after_each_pass_and_the_lines_that_differ() -> None:
    graph = graph_of(lambda x: (x * 1 + x) * (x + x), INT)
    page = passes_page(graph, "f < g")
    assert "<title>f &lt; g</title>" in page and "{{" not in page
    assert "src=" not in page and "href=" not in page
    names = re.findall(r'<template data-stage="\d" data-name="([^"]+)">', page)
    assert ["traced: 5 nodes", "simplify: 4 nodes", "cse: 3 nodes", "dce: 2 nodes"] == names
    expected = passes_of(graph, lambda better, _: json.dumps(graph_contents(better))).shown
    parts = re.findall(r'<script type="application/json">(.*?)</script>', page)
    assert [json.loads(each.form) for each in expected] == [json.loads(each) for each in parts]
    changes = re.findall(r'<pre data-stage="(\d)" hidden>(.*?)</pre>', page, re.S)
    assert ["1", "2", "3"] == [number for number, _ in changes]
    for (_, text), before, after in zip(changes, expected, expected[1:]):
        for kind, graph_text, other in (("less", before.text, after.text),
                                        ("more", after.text, before.text)):  # fmt: skip
            lines = re.findall(rf'<span class="{kind}">[-+](.*?)\n', text)
            gone = [line for line in graph_text.splitlines() if line not in other.splitlines()]
            assert gone == [unescape(line) for line in lines if unescape(line) in gone]


def test_the_page_of_a_graph_that_no_pass_changes() -> None:
    page = passes_page(graph_of(lambda x: x + x, INT), "f")
    assert 1 == page.count("<template") and "\nshow(0);\n" in page


def test_other_forms_do_not_show_passes(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["graph", "--dot", "--passes", "tests/programs/conditionals/if_else.py:if_else", "3"]
    assert 2 == main(words)
    assert "--passes takes no other form of output than --html" in capsys.readouterr().err
