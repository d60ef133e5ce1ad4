"""The HTML forms of explanations, profiles, checks, Functions and traces in a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from autograph.checking.check import CaseResult, CheckReport
from autograph.conversion.explanation import Explanation
from autograph.display.listings import call_rows, explanation_rows
from autograph.functions.concrete_functions.concrete_function import ConcreteFunction
from autograph.functions.explain_retrace import RetraceReport
from autograph.functions.function import Function
from autograph.functions.trace_cache.retrace_causes import Retrace
from autograph.insight.call_explanation import CallExplanation, ExplainedFunction
from autograph.insight.profile_result import Profile, line_shares, node_shares
from runtime.core.source_names import source_name
from runtime.display.graphs import MOST_NODES as MOST_DRAWN
from runtime.display.graphs import framed_viewer, tensor_rows
from runtime.display.html import (
    Markup,
    code,
    counted,
    details,
    markup,
    paragraph,
    shortened,
    table,
    view,
)
from runtime.graph.text import graph_text

# The most lines of one function, functions, traces, nodes and failures that are shown.
_MOST_LINES, _MOST_FUNCTIONS, _MOST_TRACES, _MOST_NODES, _MOST_FAILURES = 200, 12, 10, 10, 5


def explanation_html(explanation: Explanation) -> str:
    """Return the form of `explain(f)`: the lines with their outcomes, and the calls.

    >>> from autograph.conversion.convert import explain
    >>> "count == 1" in explanation_html(explain(lambda count: count == 1))
    True
    """
    heading, _, more = explanation.heading.partition("\n")
    parts = [paragraph(more)] if more else []
    if explanation.lines:
        rows = (row for line in explanation.lines for row in explanation_rows(line))
        parts += [_file(explanation.filename), _listing(rows), paragraph(explanation.summary)]
    if explanation.callees:
        calls = [(each.written, each.decision, each.reason) for each in explanation.callees]
        parts.append(table(("it calls", "", ""), calls))
    return view(heading, *parts)


def call_html(explanation: CallExplanation) -> str:
    """Return the form of `explain(f, x)`: the lines of each function, and the graph."""
    functions = explanation.functions
    parts = [part for each in functions[:_MOST_FUNCTIONS] for part in _function(each)]
    if len(functions) > _MOST_FUNCTIONS:
        parts.append(paragraph(counted(len(functions) - _MOST_FUNCTIONS, "more function")))
    if explanation.left_alone:
        parts.append(paragraph(f"it is left alone, since {explanation.left_alone}"))
    parts += [code(explanation.refused)] if explanation.refused else []
    if explanation.graph is not None and explanation.nodes <= MOST_DRAWN:
        parts.append(details("the graph", framed_viewer(explanation.graph)))
    return view(explanation.heading, *parts)


def _function(function: ExplainedFunction) -> Iterator[Markup]:
    if function.lines:
        yield _file(function.filename)
        yield _listing(row for line in function.lines for row in call_rows(line))


def _file(filename: str) -> Markup:
    return paragraph(Markup(f"<i>{markup(source_name(filename))}</i>"))


def _listing(rows: Iterable[str]) -> Markup:
    waiting = iter(rows)
    shown = list(islice(waiting, _MOST_LINES))
    left = sum(1 for _ in waiting)
    if left:
        shown.append(f"<li><i>{counted(left, 'more line')}</i></li>")
    return Markup(f"<ol>{''.join(shown)}</ol>")


# -- profiles --------------------------------------------------------------------------------------


def profile_html(profile: Profile) -> str:
    """Return the form of a profile: the times of lines, with bars, and of the slowest nodes."""
    lines = table(
        ("line", "times", "total", "mean", "share", "", ""),
        ([*cells[:-1], _bar(share), cells[-1]] for cells, share in line_shares(profile)),
        range(1, 5),
    )
    nodes = table(
        ("node", "times", "total", "mean", "share", "line"),
        node_shares(profile, _MOST_NODES),
        range(1, 5),
    )
    call, _, numbers = profile.heading.rpartition(": ")
    return view(call, lines, details("the slowest nodes", nodes), note=numbers)


def _bar(share: float) -> Markup:
    return Markup(f'<span class="ag-bar" style="width:{100 * share:.0f}px"></span>')


# -- checks ----------------------------------------------------------------------------------------


def check_html(report: CheckReport) -> str:
    """Return the form of a report: the outcomes of each case, and the first differences.

    >>> check_html(CheckReport("f", ())).count("<table>")
    1
    """
    pairs = zip(report.cases, report.rows())
    cells = ([row[0], *_outcomes(each, report.modes, row[1:])] for each, row in pairs)
    failures = [code(str(each)) for each in report.failures[:_MOST_FAILURES]]
    return view(report.name, table(("case", *report.modes), cells), *failures, note=report.summary)


def _outcomes(
    result: CaseResult, modes: tuple[str, ...], texts: tuple[str, ...]
) -> Iterator[Markup]:
    """Yield the outcome of each mode, coloured if it agrees or differs."""
    for mode, text in zip(modes, texts):
        kind = "ag-bad" if mode in result.differences else "ag-good" if text == "same" else ""
        yield Markup(f'<span class="{kind}">{markup(shortened(text))}</span>')


# -- Functions and their traces --------------------------------------------------------------------


def function_html(function: Function) -> str | None:
    """Return the form of a Function: its traces, with their numbers of nodes and calls.

    It is None without traces: the text is enough.
    """
    traces = function.traces.traces()
    if not traces:
        return None
    rows = [
        (each.call_text(), f"{sum(1 for _ in each.graph.walk()):,}", f"{each.counter.calls:,}")
        for each in traces[-_MOST_TRACES:]
    ]
    count = function.traces.count
    note = f"{counted(count, 'trace')}; ag.explain_retrace tells their reasons" if count > 1 else ""
    head = ("trace", "nodes", "calls")
    return view(repr(function), table(head, rows, [1, 2]), note=note)


def concrete_html(concrete: ConcreteFunction) -> str:
    """Return the form of a trace: its inputs, captures and outputs, and the text of its graph."""
    graph = concrete.graph
    rows = [
        *(("input", name, kind) for name, kind in tensor_rows(graph.inputs)),
        *(("capture", name, kind) for name, kind in tensor_rows(c.inner for c in graph.captures)),
        *(("output", name, kind) for name, kind in tensor_rows(graph.outputs)),
    ]
    nodes = counted(sum(1 for _ in graph.walk()), "node")
    text = details("the graph, which .graph draws", code(graph_text(graph, origins=True)))
    return view(concrete.call_text(), table((), rows), text, note=f"ConcreteFunction, {nodes}")


def retrace_html(report: RetraceReport) -> str:
    """Return the form of `explain_retrace(f)`: for each trace its call, and the changes."""
    shown = report.traces[-_MOST_TRACES:]
    rows = [row for each in shown for row in _retrace_rows(each)]
    left = len(report.traces) - len(shown)
    head = ("", "trace", "differs in", "before", "now", "write")
    parts = [paragraph(f"the latest {len(shown)}:")] if left else []
    parts.append(table(head, rows))
    parts += [code(report.advice)] if report.advice else []
    return view(report.name, *parts, note=report.summary)


def _retrace_rows(each: Retrace) -> Iterator[tuple[str, ...]]:
    place = "" if each.origin is None else f"\n{each.origin}"
    first = (str(each.number), f"{each.call}{place}")
    if not each.changes:
        yield (*first, each.note, "", "", "")
    for change in each.changes:
        yield (*first, f"{change.name}: {change.kind}", change.old, change.new, change.remedy)
        first = ("", "")
