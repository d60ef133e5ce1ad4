"""Converters, statements, operators and op families without a full golden page have a reason."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import gast

from autograph.conversion.convert import STANDARD_CONVERTER
from autograph.converters.base import Converter, Tree
from autograph.converters.pipeline import PIPELINE, convert_function
from autograph.syntax import source_of
from runtime.ops.registry import OP_MODULES
from tests.corpus import PROGRAMS
from tests.golden import full_pages, render, store
from tests.golden.full_pages import FULL, names_of

CONTROL = {"cond", "while_loop", "try_except"}
PAGES = "\n".join((store.FOLDER / f"{name}.md").read_text("utf-8") for name in sorted(FULL))
OPS = "runtime.ops."
# Of the vocabulary, but no operators: the lowering puts what they return into compiled code.
NO_OPERATORS = {"attribute", "backends", "has_eager_versions", "item", "scope"}


def test_full_pages_are_pages_of_programs() -> None:
    assert set() == FULL - {program.id for program in PROGRAMS}


@cache
def _conversions() -> tuple[frozenset[str], frozenset[str]]:
    """Return the converters that change full programs, and the kinds of nodes in these."""
    changing, kinds = set[str](), set[str]()

    def noting(kind: type[Converter]) -> type[Converter]:
        def convert(self: Any, tree: Tree, facts: Any, conversion: Any) -> Tree:
            before = gast.dump(tree)
            after = kind.convert(self, tree, facts, conversion)
            if gast.dump(after) != before:
                changing.add(kind.__name__)
            return after

        return type(kind.__name__, (kind,), {"convert": convert})

    pipeline = tuple(map(noting, PIPELINE))
    for program in PROGRAMS:
        if program.id in FULL:
            for function in render.functions(program):
                source = source_of(function)
                kinds |= {type(node).__name__ for node in gast.walk(source.node)}
                convert_function(source, pipeline=pipeline)
    return frozenset(changing), frozenset(kinds)


def _kinds_of(*bases: type) -> Iterator[str]:
    for name, kind in vars(gast).items():
        if isinstance(kind, type) and issubclass(kind, bases) and kind not in bases:
            yield name


def test_every_converter_changes_a_program() -> None:
    changing, _ = _conversions()
    without = {kind.__name__ for kind in PIPELINE} - changing
    assert names_of(full_pages.CONVERTERS_WITHOUT_PAGES) == without


def test_every_kind_of_statement_is_shown() -> None:
    _, kinds = _conversions()
    without = {*_kinds_of(gast.stmt)} - kinds
    assert without <= names_of(full_pages.STATEMENTS_WITHOUT_PAGES)


def test_every_operator_of_python_is_shown() -> None:
    _, kinds = _conversions()
    without = {*_kinds_of(gast.operator, gast.unaryop, gast.boolop, gast.cmpop)} - kinds
    assert names_of(full_pages.PYTHON_OPERATORS_WITHOUT_PAGES) == without


def test_every_operator_of_generated_code_is_shown() -> None:
    names = {name for name in dir(STANDARD_CONVERTER.vocabulary) if not name.startswith("_")}
    shown = set(re.findall(r"\bag__\.([a-z_]+)", PAGES, re.IGNORECASE))
    without = names - shown - NO_OPERATORS
    assert names_of(full_pages.OPERATORS_WITHOUT_PAGES) == without


def test_every_node_of_control_flow_is_shown() -> None:
    assert set() == {name for name in CONTROL if f" {name}(" not in PAGES}


def test_every_family_of_ops_is_shown() -> None:
    shown = set(re.findall(r" ([a-z_0-9]+)\(", PAGES))
    families = {name: ops for name, ops in OP_MODULES.items() if name.startswith(OPS)}
    without = {
        name.removeprefix(OPS) for name, ops in families.items() if not {*ops.split()} & shown
    }
    assert names_of(full_pages.OP_FAMILIES_WITHOUT_PAGES) == without
