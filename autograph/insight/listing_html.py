"""HTML lines of explanations: source, outcome and remarks, for pages and notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from autograph.conversion.explanation import Line
from autograph.insight.trace_explanation import TracedLine, cost_text


def explanation_rows(line: Line) -> Iterator[str]:
    """Yield the list items of a line of a conversion, and of its remarks.

    >>> list(explanation_rows(Line(7, "x < 1", ())))
    ['<li data-line="7"><i>   7 </i><b></b> x &lt; 1</li>']
    """
    words = " ".join(f'<em class="{word}">{word}</em>' for word in line.margin.split())
    margin = f"<i>{line.number:>4} </i><b>{words}</b> "
    kept = ' class="kept"' if "python" in line.margin.split() else ""
    yield f'<li data-line="{line.number}"{kept}>{margin}{escape(line.text)}</li>'
    for remark in line.remarks:
        yield f'<li class="remark note"><i>     </i><b></b> {escape(remark)}</li>'


def call_rows(line: TracedLine) -> Iterator[str]:
    """Yield the list items of a line of a traced call, and of its remarks.

    >>> list(call_rows(TracedLine(7, "x < 1", nodes=1)))
    ['<li class="graph" data-line="7"><i>   7 </i><b>graph</b><u>1n</u>  x &lt; 1</li>']
    """
    kind = line.outcome.replace(" ", "-")
    margin = f"<i>{line.number:>4} </i><b>{line.outcome}</b><u>{cost_text(line)}</u>  "
    yield f'<li class="{kind}" data-line="{line.number}">{margin}{escape(line.text)}</li>'
    indentation = " " * (len(line.text) - len(line.text.lstrip()))
    for remark in line.remarks:
        space = "<i>     </i><b></b><u></u>  "
        yield f'<li class="remark">{space}{indentation}  {escape(remark)}</li>'
