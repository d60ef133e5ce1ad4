"""HTML lines of explanations: source, outcome and remarks, for pages and notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from autograph.conversion.explanation import Line
from autograph.insight.call_explanation import TracedLine, cost_text


def explanation_rows(line: Line) -> Iterator[str]:
    """Yield the list items of a line of a conversion, and of its remarks.

    >>> list(explanation_rows(Line(7, "x < 1", ())))
    ['<li data-line="7"><i>   7 </i><b></b> x &lt; 1</li>']
    """
    words = line.margin.split()
    marks = " ".join(f'<em class="{word}">{word}</em>' for word in words)
    yield _row(line, f"<b>{marks}</b> ", "kept" if "python" in words else "")
    yield from (_remark("remark note", "<b></b> ", each) for each in line.remarks)


def call_rows(line: TracedLine) -> Iterator[str]:
    """Yield the list items of a line of a traced call, and of its remarks.

    >>> list(call_rows(TracedLine(7, "x < 1", nodes=1)))
    ['<li class="graph" data-line="7"><i>   7 </i><b>graph</b><u>1n</u>  x &lt; 1</li>']
    """
    margin = f"<b>{line.outcome}</b><u>{cost_text(line)}</u>  "
    yield _row(line, margin, line.outcome.replace(" ", "-"))
    indentation = " " * (len(line.text) - len(line.text.lstrip()))
    space = f"<b></b><u></u>  {indentation}  "
    yield from (_remark("remark", space, each) for each in line.remarks)


def _row(line: Line | TracedLine, margin: str, kind: str) -> str:
    shown = f' class="{kind}"' if kind else ""
    text = f"<i>{line.number:>4} </i>{margin}{escape(line.text)}"
    return f'<li{shown} data-line="{line.number}">{text}</li>'


def _remark(kind: str, margin: str, remark: str) -> str:
    return f'<li class="{kind}"><i>     </i>{margin}{escape(remark)}</li>'
