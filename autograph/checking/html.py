"""The HTML form of the report of a check in a notebook."""

from __future__ import annotations

from collections.abc import Iterator

from autograph.checking.check import Checked, CheckReport
from runtime.display.html import Markup, code, markup, shortened, table, view

_MOST_FAILURES = 5


def report_html(report: CheckReport) -> str:
    """Return the form of a report: the outcomes of each case, and the first differences.

    >>> report_html(CheckReport("f", ())).count("<table>")
    1
    """
    pairs = zip(report.cases, report.rows())
    cells = ([row[0], *_outcomes(each, report.modes, row[1:])] for each, row in pairs)
    failures = [code(str(each)) for each in report.failures[:_MOST_FAILURES]]
    return view(report.name, table(("case", *report.modes), cells), *failures, note=report.summary)


def _outcomes(checked: Checked, modes: tuple[str, ...], texts: tuple[str, ...]) -> Iterator[Markup]:
    """Yield the outcome of each mode, coloured if it agrees or differs."""
    for mode, text in zip(modes, texts):
        kind = "ag-bad" if mode in checked.differences else "ag-good" if text == "same" else ""
        yield Markup(f'<span class="{kind}">{markup(shortened(text))}</span>')
