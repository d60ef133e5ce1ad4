"""The report of a function, row by row."""

from __future__ import annotations

import textwrap
from dataclasses import replace

import pytest

from autograph.converters.constructs import ConstructOutcome
from autograph.converters.pipeline import convert_function
from autograph.converters.report import Entry, Report
from autograph.errors import ConversionError
from autograph.options import ConversionOptions
from autograph.syntax.printer import print_tree
from autograph.syntax.tree import parse
from tests.autograph.converters.reference import TextSource

IN_CLASS = "a class body runs in its own namespace"
OWN = "it is Python's own; what is inside it is converted"
STRICT = ConversionOptions(strict=True)
REQUESTED = ConversionOptions(user_requested=True)


def source_of_text(text: str) -> TextSource:
    text = textwrap.dedent(text).strip("\n")
    node = parse(text).body[0]
    return TextSource(text, getattr(node, "value", node), getattr(node, "name", "<lambda>"))


def rows(text: str) -> list[Entry]:
    source = source_of_text(text)
    report = Report(source)
    return list(report.entries(convert_function(source, report=report)))


def report_rows(text: str) -> list[tuple[int, str, str]]:
    return [(row.line, row.construct, row.reason or row.outcome.value) for row in rows(text)]


def test_converted_statements_are_reported_as_staged_or_call() -> None:
    text = """
        def f(xs, n):
            ys = []
            for x in xs:
                if x > n and not g(x):
                    continue
                elif 0 < x < n:
                    ys[0] = x
            while n: n = n - 1 if n else 0
            assert n
            ys.append(n)
            return ys
    """
    assert [
        (3, "`for`", "staged"),
        (4, "`if`", "staged"),
        (4, "`and`", "staged"),
        (4, "`not`", "staged"),
        (4, "call", "call"),
        (5, "`continue`", "staged"),
        (6, "`elif`", "staged"),
        (6, "chained comparison", "staged"),
        (7, "item assignment", "staged"),
        (8, "`while`", "staged"),
        (8, "conditional expression", "staged"),
        (9, "`assert`", "staged"),
        (10, "call", "staged"),
    ] == report_rows(text)


def test_plain_statements_get_no_row() -> None:
    assert [] == report_rows(
        "def f(x, y=g()) -> h():\n    '''Doc.'''\n    z: k() = x < y\n    del x\n"
    )


def test_statements_that_stay_python_have_a_reason() -> None:
    text = """
        def f(xs, n):
            squares = [x * x for x in xs]
            match n:
                case 1: pass
            if (y := n) or (z := n): pass
            assert y, (w := z)
            class C:
                v = g(n)
            def generate():
                while n: yield n
                match n:
                    case 1: yield n
    """
    assert [
        (2, "list comprehension", "staged"),
        (3, "`match`", "staged"),
        (5, "`if`", "staged"),
        (5, "`or`", "staged"),
        (6, "`assert`", "staged"),
        (8, "call", "a class body runs in its own namespace"),
        (10, "`while`", "it holds a `yield`"),
        (11, "`match`", "it holds a `yield`"),
    ] == report_rows(text)


def test_harmless_exceptions_are_notes() -> None:
    text = """
        def f(x):
            try:
                with g(x) as y: pass
            except E: pass
            @h(x)
            class C(base(x)):
                def m(self): return super().m()
            return x
            k(x)
    """
    assert [
        (2, "`try`", "staged"),
        (3, "`with`", "staged"),
        (3, "call", "call"),
        (5, "call", "a decorator is applied by Python"),
        (6, "call", "the bases of a class are found by Python"),
        (7, "call", "call"),
        (7, "call", "it finds the same method from Python"),
        (9, "call", "it is never reached"),
    ] == report_rows(text)


def test_a_finally_that_is_copied_is_reported_once() -> None:
    text = "def f(x):\n    while x:\n        try: g()\n        finally:\n            if x: break\n"
    assert [(2, "`while`"), (3, "`try`"), (3, "call"), (5, "`if`"), (5, "`break`")] == [
        (row.line, row.construct) for row in rows(text)
    ]


def test_lambdas_and_methods_of_local_classes_are_converted() -> None:
    assert [(1, "conditional expression", "staged"), (1, "call", "call")] == report_rows(
        "f = lambda x, y=g(): x if h() else y"
    )
    text = "def f():\n    class C:\n        def m(self):\n            if self: pass\n"
    assert [(4, "`if`", "staged")] == report_rows(text)


def test_a_lambda_that_is_a_generator_calls_from_python() -> None:
    assert [(1, "call", "it stands in a lambda that is a generator")] == report_rows(
        "f = lambda: g((yield))"
    )


def test_a_row_has_its_source_origin() -> None:
    (row,) = rows("def f(ä):\n    return 'ä', ä and ä\n")
    assert ConstructOutcome.STAGED is row.outcome and "`and`: staged" == str(row)
    assert "    return 'ä', ä and ä" == row.origin.text
    assert "^^^^^^^" == row.origin.describe().splitlines()[-1].strip()


def test_synthetic_nodes_are_not_reported() -> None:
    report = Report(source_of_text("def f(x): pass"))
    report.note(parse("if x: pass").body[0], ConstructOutcome.PYTHON, "it is new")
    report.note(parse("x + 1").body[0].value, ConstructOutcome.PYTHON, "it is nothing to report")
    assert () == report.entries(parse("pass"))


def test_the_worse_of_two_outcomes_is_reported() -> None:
    source = source_of_text("def f(x):\n    if x: pass\n")
    report = Report(source)
    statement = source.node.body[0]
    for outcome in (ConstructOutcome.STAGED, ConstructOutcome.PYTHON, ConstructOutcome.STAGED):
        report.note(statement, outcome, "why")
    (row,) = report.entries(source.node)
    assert ConstructOutcome.PYTHON is row.outcome


def test_strict_conversion_refuses_the_first_part_that_stays_python() -> None:
    text = "def f(x):\n class C:\n    y = [v for v in x]\n    z = {v for v in x}\n    w = x or 1\n"
    with pytest.raises(ConversionError) as caught:
        convert_function(source_of_text(text), STRICT)
    assert [
        f"strict: this list comprehension stays Python: {IN_CLASS}; "
        "2 more stay Python (lines 4, 5)",
        "  at <program>:3, in f",
        "    y = [v for v in x]",
        "        ^^^^^^^^^^^^^^",
    ] == str(caught.value).splitlines()


def test_strict_conversion_gives_the_same_code() -> None:
    text = "def f(x):\n    with x:\n        if g(x): return 1\n"
    usual, strict = (
        print_tree(convert_function(source_of_text(text), options))
        for options in (REQUESTED, replace(REQUESTED, strict=True))
    )
    assert usual == strict.replace(", strict=True", "")
    assert usual != strict
