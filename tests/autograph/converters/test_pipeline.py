"""The pipeline of converters: its checks, its errors, and the source lines it preserves."""

from __future__ import annotations

from functools import cached_property
from types import SimpleNamespace
from typing import Any

import gast
import pytest

from autograph.analysis.function_facts import FunctionFacts
from autograph.converters.base import Conversion, Converter, Tree, main_function
from autograph.converters.breaks import Breaks
from autograph.converters.pipeline import PIPELINE, convert_function
from autograph.errors import ConversionError, PipelineError
from autograph.options import STANDARD, ConversionOptions
from autograph.syntax.namer import Namer
from autograph.syntax.printer import print_tree
from autograph.syntax.reserved import STAND_IN
from autograph.syntax.source import source_of
from autograph.syntax.tree import parse, walk
from tests.autograph.converters.reference import TextSource, converted_module, definition_of
from tests.corpus import PROGRAMS, Program
from tests.suite_length import sample


def convert(text: str, **arguments: Any) -> Any:
    source = TextSource(text, definition_of(parse(text), "f"), "f")
    return convert_function(source, **arguments)


def test_options_are_printed() -> None:
    options = ConversionOptions(recursive=False, optional_features=("LISTS",))
    printed = print_tree(convert("def f(): pass", options=options))
    assert f"ag__.{options!r}" in printed
    assert "recursive=False, user_requested=False, optional_features=('LISTS',)" in printed


def test_a_function_found_by_its_code_object_is_converted() -> None:
    tree = convert_function(source_of(convert))
    assert "tf__convert" == tree.name
    assert "def tf__convert(text, **arguments):" in print_tree(tree)


def test_nodes_keep_the_users_lines() -> None:
    tree = convert("def f(x):\n    if x:\n        y = 1\n    return g(y)\n")
    lines = {node.lineno for node in walk(tree) if getattr(node, "lineno", None)}
    assert {1, 2, 3, 4} == lines
    (target,) = [n for n in walk(tree) if isinstance(n, gast.Name) and n.id == "g"]
    assert (4, 11) == (target.lineno, target.col_offset)


@pytest.mark.parametrize(
    "body", ["N = 1", "return N", "def N(): pass", "import x as N", "global N", "x.N"]
)
def test_the_replacement_of_a_users_ag__must_be_unused(body: str) -> None:
    with pytest.raises(ConversionError) as caught:
        convert(f"def f(x):\n    y = 1\n    {body.replace('N', STAND_IN)}\n    ag__ = 1\n")
    assert f"'{STAND_IN}'" in str(caught.value)
    assert "<program>:3, in f" in str(caught.value)


def test_shape_invariants_must_be_pairs() -> None:
    with pytest.raises(ConversionError) as caught:
        convert("def f(x):\n  for i in x:\n    set_loop_options(shape_invariants=x)\n")
    assert "write shape_invariants as a list of (variable, shape) pairs" in str(caught.value)
    assert "<program>:3, in f" in str(caught.value)


def test_a_directive_is_recognised_by_its_value() -> None:
    def set_loop_options(**options: object) -> None:
        pass

    text = "def f(x):\n  for i in x:\n    lib.advise(maximum_iterations=3)\n    i\n"
    known = {"lib": SimpleNamespace(advise=set_loop_options)}
    assert "maximum_iterations" not in print_tree(convert(text)).partition("for_stmt")[2]
    assert "'maximum_iterations': 3" in print_tree(convert(text, namespace=known))
    other = "def f(x):\n  for i in x:\n    set_loop_options(maximum_iterations=3)\n    i\n"
    unlike = {"set_loop_options": print}
    assert "'maximum_iterations': 3" not in print_tree(convert(other, namespace=unlike))


def test_a_hidden_dict_is_seen_in_the_namespace() -> None:
    text = "def f(x): return g(k=1)"
    assert "dict(k=1)" in print_tree(convert(text, namespace={"dict": dict}))
    assert "{'k': 1}" in print_tree(convert(text, namespace={"dict": list}))


def test_a_broken_promise_is_reported_at_the_line() -> None:
    class Forgetful(Breaks):
        def convert(self, tree: Tree, facts: FunctionFacts, conversion: Conversion) -> Tree:
            return tree

    pipeline = tuple(Forgetful if c is Breaks else c for c in PIPELINE)
    with pytest.raises(PipelineError) as caught:
        convert("def f(x):\n  while x:\n    if x: break\n", pipeline=pipeline)
    assert "Forgetful promised to remove Break" in str(caught.value)
    assert "<program>:2, in f" in str(caught.value)


@pytest.mark.parametrize("converter", [c for c in PIPELINE if c.removes])
def test_every_promise_is_checked(converter: type[Converter]) -> None:
    text = """
def f(x):
    y: int = x if x else not x and x
    while x:
        for i in x:
            if i: break
            if y:
                if i: continue
            try: pass
            finally:
                if x: return
    return (y := x)
"""
    node = definition_of(parse(text), "f")
    assert [] != list(converter().leftovers(node, FunctionFacts(node)))
    done = definition_of(converted_module(text), "f")
    assert [] == list(converter().leftovers(done, FunctionFacts(done)))


@pytest.mark.parametrize("program", sample(PROGRAMS, 3), ids=lambda program: program.id)
def test_converters_declare_the_nodes_they_create(program: Program) -> None:
    source = source_of(program.function)
    tree, facts = source.node, FunctionFacts(source.node)
    conversion = Conversion(source, STANDARD, Namer(facts.inventory.identifiers))
    for position, kind in enumerate(PIPELINE):
        if not kind().applies(facts, conversion):
            continue
        tree = kind().convert(tree, facts, conversion)
        exact = FunctionFacts(main_function(tree))
        facts = FunctionFacts(exact.function, facts.inventory.with_kinds(kind.makes))
        for later in PIPELINE[position + 1 :]:
            handled = [k for k in later.handles if exact.inventory.has(k) and k not in _OWN]
            assert all(facts.inventory.has(each) for each in handled), (kind, later)


# Kinds of which converters leave alone what other converters have made.
_OWN = (gast.Call, gast.Subscript)

# Facts that are made of other facts.
MADE_OF = {
    "hidden_writes": ("local_functions",),
    "liveness": ("activity", "cfg"),
    "reaching_definitions": ("activity", "cfg"),
}


@pytest.mark.parametrize("converter", PIPELINE)
def test_a_converter_reads_only_the_facts_it_declares(converter: type[Converter]) -> None:
    asked: set[str] = set()

    class Watched(FunctionFacts):
        def __getattribute__(self, name: str) -> Any:
            if isinstance(getattr(FunctionFacts, name, None), cached_property):
                asked.add(name)
            return super().__getattribute__(name)

    text = """
def f(x):
    l = []
    if x:
        assert x, g(x)
        for i in x:
            l[0] = i and not x if x else 0
            if l: break
            del x
    return l
"""
    tree: Any = definition_of(parse(text), "f")
    inventory = FunctionFacts(tree).inventory
    source = TextSource(text, tree, "f", class_name="C")
    conversion = Conversion(source, STANDARD, Namer(inventory.identifiers))
    for step in PIPELINE[: PIPELINE.index(converter)]:
        tree = step().convert(tree, FunctionFacts(main_function(tree)), conversion)
    facts = Watched(tree)
    assert facts.inventory is not None
    converter().convert(tree, facts, conversion)
    declared = {"inventory", *converter.needs}
    assert declared <= asked
    assert asked <= declared.union(*(MADE_OF.get(name, ()) for name in declared))


def test_converters_explain_themselves() -> None:
    for converter in PIPELINE:
        assert converter.__doc__ and "Before" in converter.__doc__
        assert all(len(reason.split()) > 3 for reason in converter.after.values())
