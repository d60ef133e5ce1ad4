"""Nested functions, and the variables that calls of them rebind."""

from __future__ import annotations

from autograph.analysis.function_facts import FunctionFacts
from autograph.syntax.tree import parse

TEXT = """
def f(t, u):
    def bump():
        nonlocal t
        t = t + 1
    if t:
        def twice(): bump(); bump()
    else:
        async def twice(): pass
    def pure(): return t
    def deep():
        def inner():
            nonlocal u
            u = 0
        inner()
    (v := 1)
"""


def test_a_name_may_refer_to_several_functions() -> None:
    facts = FunctionFacts(parse(TEXT).body[0])
    found = {name: len(nodes) for name, nodes in facts.local_functions.items()}
    assert {"bump": 1, "twice": 2, "pure": 1, "deep": 1} == found


def test_hidden_writes_include_those_of_mentioned_functions() -> None:
    writes = FunctionFacts(parse(TEXT).body[0]).hidden_writes
    assert {"t"} == writes.through(["bump"]) == writes.through(["twice"])
    assert {"u"} == writes.through(["deep"])
    assert {"t", "u"} == writes.through(["x", "deep", "twice"])
    assert frozenset() == writes.through(["pure", "t"])


def test_hidden_writes_of_mutually_recursive_functions() -> None:
    text = "def f(t):\n def a():\n  nonlocal t; t = b()\n def b(): a()\n"
    assert {"t"} == FunctionFacts(parse(text).body[0]).hidden_writes.through(["b"])
