"""The GraphDefs of a few programs as text, to be read: `golden_outputs/graphdef_texts.md`."""

from __future__ import annotations

import pytest

import autograph as ag
from tests.corpus import find
from tests.golden import store

NAME = "graphdef_texts"
SHOWN = (
    "documents/simple_relu",
    "documents/my_function",
    "while_loops/digit_sum",
    "lists/append_in_tensor_loop",
    "joins/variable_or_tensor",
)


def page() -> str:
    """The texts, one after the other."""
    parts = ["# Programs as GraphDefs"]
    for program in find(list(SHOWN)):
        graph = ag.function(program.function).get_concrete_function(*program.tensors(0)).graph
        parts += [f"## {program.id}", f"```text\n{graph.as_graph_def()}```"]
    return "\n\n".join(parts) + "\n"


def test_the_golden_texts_agree_with_the_printed_graphdefs(request: pytest.FixtureRequest) -> None:
    text = page()
    if request.config.getoption("--update-goldens"):
        list(store.write({NAME: text}))
    assert "" == store.difference(NAME, text)
