"""One offline HTML page: what a trace made of every line, beside converted code and the graph."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from autograph.cli.code_page import STYLE
from autograph.cli.listing import Listing
from autograph.insight.trace_explanation import (
    CallExplanation,
    TracedFunction,
    TracedLine,
    cost_text,
)

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}
:root {{ --staged: #1a7f37; --call: #0b63b5; --python: #b3261e; --graph: #6f42c1 }}
@media (prefers-color-scheme: dark) {{
  :root {{ --staged: #5fca7c; --call: #79b8ff; --python: #ff8a80; --graph: #c8a6ff }}
}}
b {{ display: inline-block; min-width: 7ch; font-weight: 600 }}
u {{ display: inline-block; min-width: 5ch; text-align: right; text-decoration: none }}
.staged b {{ color: var(--staged) }}
.call b {{ color: var(--call) }}
.python b {{ color: var(--python) }}
.graph b {{ color: var(--graph) }}
.not-run, .remark {{ color: var(--dim) }}
main {{ display: flex; gap: 1.5rem; align-items: flex-start }}
section {{ flex: 1; min-width: 0 }}
li.linked {{ background: var(--mark) }}
pre {{ font: 13px/1.55 ui-monospace, monospace; overflow-x: auto }}
</style>
</head>
<body>
<h1>{title}</h1>
<p>{heading}</p>
<main>
<section>
{functions}
</section>
<section><h2>Converted</h2><ol>
{converted}
</ol></section>
</main>
{graph}
<script>
const lines = [...document.querySelectorAll("li[data-line]")];
const mark = (line) => lines.forEach(
  (each) => each.classList.toggle("linked", line !== null && each.dataset.line === line));
lines.forEach((each) => {{
  each.addEventListener("mouseenter", () => mark(each.dataset.line));
  each.addEventListener("mouseleave", () => mark(null));
}});
</script>
</body>
</html>
"""


def call_page(explanation: CallExplanation, title: str, listing: Listing) -> str:
    """Return a complete page; it needs a browser and nothing else.

    Args:
        explanation: of the call.
        title: the heading.
        listing: the converted code of the function called.
    """
    converted = zip(listing.origins, listing.converted)
    return _PAGE.format(
        title=escape(title),
        style=STYLE,
        heading=escape(explanation.heading),
        functions="\n".join(map(_function, explanation.functions)),
        converted="\n".join(
            f'<li data-line="{n}">{escape(text) or " "}</li>' for n, text in converted
        ),
        graph=_graph(explanation),
    )


def _function(function: TracedFunction) -> str:
    rows = "\n".join(row for line in function.lines for row in _rows(line))
    return f"<h2>{escape(function.filename)}: {escape(function.name)}</h2>\n<ol>\n{rows}\n</ol>"


def _rows(line: TracedLine) -> Iterator[str]:
    kind = line.outcome.replace(" ", "-")
    margin = f"<i>{line.number:>4} </i><b>{line.outcome}</b><u>{cost_text(line)}</u>  "
    yield f'<li class="{kind}" data-line="{line.number}">{margin}{escape(line.text)}</li>'
    indentation = " " * (len(line.text) - len(line.text.lstrip()))
    for remark in line.remarks:
        space = "<i>     </i><b></b><u></u>  "
        yield f'<li class="remark">{space}{indentation}  {escape(remark)}</li>'


def _graph(explanation: CallExplanation) -> str:
    if explanation.graph is None:
        return ""
    text = escape(explanation.graph.as_text(origins=True))
    return f"<h2>Graph</h2>\n<pre>{text}</pre>"
