"""One offline HTML page: a function's source with what became of each of its lines."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from autograph.cli.code_page import STYLE
from autograph.conversion.explanation import Callee, Explanation, Line

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}
:root {{ --staged: #1a7f37; --call: #0b63b5; --python: #b3261e; --note: var(--dim) }}
@media (prefers-color-scheme: dark) {{
  :root {{ --staged: #5fca7c; --call: #79b8ff; --python: #ff8a80 }}
}}
b {{ display: inline-block; min-width: {words}ch; font-weight: 600 }}
em {{ font-style: normal }}
.staged {{ color: var(--staged) }}
.call {{ color: var(--call) }}
.python {{ color: var(--python) }}
.note {{ color: var(--note) }}
li.kept {{ background: color-mix(in srgb, var(--python) 12%, transparent) }}
table {{ border-spacing: 1rem 0; margin-left: -1rem }}
td {{ vertical-align: top }}
</style>
</head>
<body>
<h1>{title}</h1>
<p>{heading}</p>
{parts}
</body>
</html>
"""


def explanation_page(explanation: Explanation, title: str) -> str:
    """Return a complete page; it needs a browser and nothing else."""
    words = max((len(line.margin) for line in explanation.lines), default=0)
    return _PAGE.format(
        title=escape(title),
        style=STYLE,
        words=words,
        heading=escape(explanation.heading).replace("\n", "<br>"),
        parts="\n".join(_parts(explanation)),
    )


def _parts(explanation: Explanation) -> Iterator[str]:
    if explanation.lines:
        rows = (row for line in explanation.lines for row in _rows(line))
        yield f"<h2>{escape(explanation.filename)}</h2>"
        yield f"<ol>\n{chr(10).join(rows)}\n</ol>"
        yield f"<p>{escape(explanation.summary)}</p>"
    if explanation.callees:
        rows = (_call(callee) for callee in explanation.callees)
        yield f"<h2>It calls</h2>\n<table>\n{chr(10).join(rows)}\n</table>"


def _rows(line: Line) -> Iterator[str]:
    words = " ".join(f'<em class="{word}">{word}</em>' for word in line.margin.split())
    margin = f"<i>{line.number:>4} </i><b>{words}</b> "
    kept = ' class="kept"' if "python" in line.margin.split() else ""
    yield f'<li data-line="{line.number}"{kept}>{margin}{escape(line.text)}</li>'
    for remark in line.remarks:
        yield f'<li class="remark note"><i>     </i><b></b> {escape(remark)}</li>'


def _call(callee: Callee) -> str:
    decision = "converted" if callee.is_converted else "left alone"
    written = f"<code>{escape(callee.written)}</code>"
    return f"<tr><td>{written}</td><td>{decision}</td><td>{escape(callee.reason)}</td></tr>"
