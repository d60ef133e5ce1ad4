"""Law: reports of constructs agree with the converted functions.

The report is made of what converters tell; here the converted tree itself is asked, by position:
a staged construct has become a word of generated code, one that stayed Python stands there still.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import gast
import pytest

from autograph.converters.constructs import ConstructOutcome
from autograph.converters.pipeline import convert_function
from autograph.converters.report import Entry, Report
from autograph.options import STANDARD
from autograph.syntax import source_of, walk
from autograph.syntax.tree import parse
from tests import corpus
from tests.autograph.converters.programs import Programs
from tests.autograph.converters.reference import TextSource, definition_of
from tests.autograph.converters.test_corner_cases import CASES
from tests.suite_length import sample

Span = tuple[int, int, int, int]

# The words that stand for a construct, and the nodes it is while it stays Python.
STAGED_AS: dict[str, set[str]] = {
    "`if`": {"if_stmt"},
    "`elif`": {"if_stmt"},
    "`for`": {"for_stmt"},
    "`while`": {"while_stmt"},
    "`match`": {"match_stmt"},
    "`try`": {"try_stmt"},
    "`with`": {"with_stmt"},
    "list comprehension": {"list_comp"},
    "set comprehension": {"set_comp"},
    "dict comprehension": {"dict_comp"},
    "generator expression": {"gen_exp"},
    "`assert`": {"assert_stmt"},
    "`and`": {"and_"},
    "`or`": {"or_"},
    "`not`": {"not_"},
    "chained comparison": {"compare"},
    "conditional expression": {"if_exp"},
    "item assignment": {"set_item", "update_item"},
    "call": {"list_append", "list_pop"},
}
PYTHON_AS: dict[str, type] = {
    "`if`": gast.If,
    "`elif`": gast.If,
    "`for`": gast.For,
    "`while`": gast.While,
    "`async for`": gast.AsyncFor,
    "`match`": gast.Match,
    "`assert`": gast.Assert,
    "`and`": gast.BoolOp,
    "`or`": gast.BoolOp,
    "`not`": gast.UnaryOp,
    "chained comparison": gast.Compare,
    "conditional expression": gast.IfExp,
    "list comprehension": gast.ListComp,
    "set comprehension": gast.SetComp,
    "dict comprehension": gast.DictComp,
    "generator expression": gast.GeneratorExp,
    "call": gast.Call,
    "except*": gast.TryStar,
}
JUMPS = {"`break`", "`continue`", "`return`"}


def reported(source: Any) -> tuple[tuple[Entry, ...], Any]:
    report = Report(source)
    tree = convert_function(source, STANDARD, None, report=report)
    return report.entries(tree), tree


def span(place: Any) -> Span:
    return (place.lineno, place.col_offset, place.end_lineno, place.end_col_offset)


def encloses(outer: Span, inner: Span) -> bool:
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]


def words_in(tree: Any) -> set[tuple[str, Span]]:
    """Return the words with their places; that of an item's assignment is the statement's."""
    items = {
        (node.value.func.attr, span(node))
        for node in walk(tree)
        if isinstance(node, gast.Assign)
        and isinstance(node.value, gast.Call)
        and isinstance(node.value.func, gast.Attribute)
        and node.value.func.attr == "set_item"
        and getattr(node, "lineno", None)
    }
    return items | {
        (node.func.attr, span(node))
        for node in walk(tree)
        if isinstance(node, gast.Call)
        and isinstance(node.func, gast.Attribute)
        and isinstance(node.func.value, gast.Name)
        and node.func.value.id == "ag__"
        and getattr(node, "lineno", None)
    }


def disagreements(entries: tuple[Entry, ...], tree: Any) -> Iterator[str]:
    words = words_in(tree)
    nodes = [(type(n), span(n)) for n in walk(tree) if getattr(n, "end_lineno", None)]
    for entry in entries:
        origin = entry.origin
        place = (origin.line, origin.column, origin.end_line, origin.end_column)
        found = {word for word, where in words if where == place}
        if entry.construct == "`and`":  # that of a loop's test is joined with its flags
            found |= {word for word, where in words if word == "and_" and encloses(where, place)}
        if entry.construct == "call":  # advice to a loop becomes a part of its word
            loops = {(word, where) for word, where in words if word in ("while_stmt", "for_stmt")}
            advised = any(encloses(where, place) for _, where in loops)
            found |= {"list_append"} if advised and "set_loop_options" in origin.text else set()
        kind = PYTHON_AS.get(entry.construct)
        is_there = any(kind and issubclass(t, kind) and where == place for t, where in nodes)
        if entry.outcome is ConstructOutcome.STAGED and entry.construct not in JUMPS:
            if not found & STAGED_AS[entry.construct]:
                yield f"{entry.line}: {entry}, but there is {found or 'nothing'}"
        elif entry.outcome is ConstructOutcome.CALL and "converted_call" not in found:
            yield f"{entry.line}: {entry}, but there is {found or 'nothing'}"
        elif entry.outcome is ConstructOutcome.PYTHON:
            if not is_there or found & STAGED_AS.get(entry.construct, set()):
                yield f"{entry.line}: {entry}, but there is {found or 'nothing'}"
        if "no form" in entry.reason:
            yield f"{entry.line}: {entry}, without a reason"


@pytest.mark.parametrize("program", sample(corpus.PROGRAMS, 3), ids=lambda program: program.id)
def test_reports_of_the_corpus_are_true(program: corpus.Program) -> None:
    entries, tree = reported(source_of(program.function))
    assert [] == list(disagreements(entries, tree))


@pytest.mark.parametrize("name", CASES)
def test_reports_of_corner_cases_are_true(name: str) -> None:
    case = CASES[name]
    text = case.text.strip("\n")
    definition = definition_of(parse(text), case.path)
    entries, tree = reported(TextSource(text, definition, case.path.rpartition(".")[2]))
    assert [] == list(disagreements(entries, tree))


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("start", range(0, 60, 20))
def test_reports_of_random_programs_are_true(start: int) -> None:
    for seed in range(start, start + 20):
        text = Programs(seed, depth=3).function()
        if not _is_program(text):
            continue
        entries, tree = reported(TextSource(text, parse(text).body[0], "f"))
        assert entries or "if" not in text
        assert [] == list(disagreements(entries, tree)), text


def _is_program(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        try:
            compile(text, "<program>", "exec")
        except SyntaxError:
            return False
    return True
