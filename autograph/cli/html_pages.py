"""HTML pages without external files: the code of a function, and explanations.

code            source on the left, converted code on the right, lines linked by hover
explanation     a function's source with the outcome of each of its lines
call            the outcome of each line in a trace, beside converted code and the graph
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from os.path import basename

from autograph.cli.listing import Listing
from autograph.conversion.explanation import CalleeExplanation, Explanation
from autograph.display.listings import call_rows, explanation_rows
from autograph.insight.call_explanation import CallExplanation, ExplainedFunction
from runtime.graph.viewer.fragment import Fragment, viewer_fragment

# The style of every page: colours, headings and lists of code lines.
STYLE = """\
:root { color-scheme: light dark }
:root { --mark: light-dark(#ffe08a, #5a4a10); --ink: light-dark(#1b1b1b, #e4e4e0) }
:root { --paper: light-dark(#fdfdfb, #17181a); --dim: light-dark(#6f6f6f, #8d8d8d) }
body { margin: 1.5rem; background: var(--paper); color: var(--ink); font: 15px/1.5 sans-serif }
h1 { font-size: 1.2rem }
h2 { font-size: .95rem; color: var(--dim); margin: 0 0 .4rem }
ol { margin: 0; padding: 0; list-style: none; overflow-x: auto }
li { font: 13px/1.55 ui-monospace, monospace; white-space: pre; padding: 0 .4rem }
i { color: var(--dim); font-style: normal; user-select: none }"""
_CODE_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}
main {{ display: flex; gap: 1.5rem; align-items: flex-start }}
section {{ flex: 1; min-width: 0 }}
section:first-child {{ flex: 0 1 38%; position: sticky; top: 1rem }}
li.linked {{ background: var(--mark) }}
</style>
</head>
<body>
<h1>{title}</h1>
<main>
<section><h2>Source</h2><ol>
{source}
</ol></section>
<section><h2>Converted</h2><ol>
{converted}
</ol></section>
</main>
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


def code_page(listing: Listing, title: str) -> str:
    """Return a complete page without external files."""
    numbers = range(listing.first_line, listing.first_line + len(listing.source))
    source = [_item(n, f"<i>{n:>4} </i>{escape(t)}") for n, t in zip(numbers, listing.source)]
    converted = [_item(n, escape(t)) for n, t in zip(listing.origins, listing.converted)]
    return _CODE_PAGE.format(
        title=escape(title),
        style=STYLE,
        source="\n".join(source),
        converted="\n".join(converted),
    )


def _item(line: int, content: str) -> str:
    return f'<li data-line="{line}">{content or " "}</li>'


# -- the explanation -------------------------------------------------------------------------------


_EXPLANATION_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}
:root {{ --staged: light-dark(#1a7f37, #5fca7c); --call: light-dark(#0b63b5, #79b8ff) }}
:root {{ --python: light-dark(#b3261e, #ff8a80); --note: var(--dim) }}
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
    """Return a complete page without external files."""
    words = max((len(line.margin) for line in explanation.lines), default=0)
    return _EXPLANATION_PAGE.format(
        title=escape(title),
        style=STYLE,
        words=words,
        heading=escape(explanation.heading).replace("\n", "<br>"),
        parts="\n".join(_parts(explanation)),
    )


def _parts(explanation: Explanation) -> Iterator[str]:
    if explanation.lines:
        rows = (row for line in explanation.lines for row in explanation_rows(line))
        yield f"<h2>{escape(explanation.filename)}</h2>"
        yield f"<ol>\n{chr(10).join(rows)}\n</ol>"
        yield f"<p>{escape(explanation.summary)}</p>"
    if explanation.callees:
        rows = (_call(callee) for callee in explanation.callees)
        yield f"<h2>It calls</h2>\n<table>\n{chr(10).join(rows)}\n</table>"


def _call(callee: CalleeExplanation) -> str:
    written = f"<code>{escape(callee.written)}</code>"
    return f"<tr><td>{written}</td><td>{callee.decision}</td><td>{escape(callee.reason)}</td></tr>"


# -- one call --------------------------------------------------------------------------------------


_CALL_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}
:root {{ --staged: light-dark(#1a7f37, #5fca7c); --call: light-dark(#0b63b5, #79b8ff) }}
:root {{ --python: light-dark(#b3261e, #ff8a80); --graph: light-dark(#6f42c1, #c8a6ff) }}
b {{ display: inline-block; min-width: 7ch; font-weight: 600 }}
u {{ display: inline-block; min-width: 5ch; text-align: right; text-decoration: none }}
.staged b {{ color: var(--staged) }}
.call b {{ color: var(--call) }}
.python b {{ color: var(--python) }}
.graph b {{ color: var(--graph) }}
.not-run, .remark {{ color: var(--dim) }}
main {{ display: flex; gap: 1.5rem; align-items: flex-start }}
main section {{ flex: 1; min-width: 0 }}
li.linked {{ background: var(--mark) }}
[data-file] li[data-line] {{ cursor: pointer }}
pre {{ font: 13px/1.55 ui-monospace, monospace; overflow-x: auto }}
.graph-viewer {{ height: 85vh; border: 1px solid var(--dim); margin: .5rem 0 1rem }}
{viewer_style}
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
{viewer_script}
</script>
</body>
</html>
"""


def call_page(explanation: CallExplanation, title: str, listing: Listing) -> str:
    """Return a complete page without external files.

    Args:
        explanation: the explanation of the call.
        title: the heading.
        listing: the converted code of the called function.
    """
    converted = zip(listing.origins, listing.converted)
    viewer = _viewer(explanation)
    return _CALL_PAGE.format(
        title=escape(title),
        style=STYLE,
        heading=escape(explanation.heading),
        functions="\n".join(map(_function, explanation.functions)),
        converted="\n".join(
            f'<li data-line="{n}">{escape(text) or " "}</li>' for n, text in converted
        ),
        graph=_graph(explanation, viewer.markup),
        viewer_style=viewer.style,
        viewer_script=viewer.script,
    )


def _function(function: ExplainedFunction) -> str:
    rows = "\n".join(row for line in function.lines for row in call_rows(line))
    file = escape(basename(function.filename))
    heading = f"<h2>{escape(function.filename)}: {escape(function.name)}</h2>"
    return f'{heading}\n<ol data-file="{file}">\n{rows}\n</ol>'


def _viewer(explanation: CallExplanation) -> Fragment:
    if explanation.graph is None:
        return Fragment("", "", "")
    return viewer_fragment(explanation.graph, explanation.graph.name)


def _graph(explanation: CallExplanation, viewer: str) -> str:
    if explanation.graph is None:
        return ""
    text = escape(explanation.graph.as_text(origins=True))
    shown = f"<details><summary>as text</summary><pre>{text}</pre></details>"
    return f"<h2>Graph</h2>\n{viewer}\n{shown}"
