"""One offline HTML page: source on the left, converted code on the right, lines linked by hover."""

from __future__ import annotations

from html import escape

from autograph.cli.listing import Listing

# What every page of ours looks like: its colours, headings and lists of code lines.
STYLE = """\
:root { color-scheme: light dark }
:root { --mark: #ffe08a; --ink: #1b1b1b; --paper: #fdfdfb; --dim: #6f6f6f }
@media (prefers-color-scheme: dark) {
  :root { --mark: #5a4a10; --ink: #e4e4e0; --paper: #17181a; --dim: #8d8d8d }
}
body { margin: 1.5rem; background: var(--paper); color: var(--ink); font: 15px/1.5 sans-serif }
h1 { font-size: 1.2rem }
h2 { font-size: .95rem; color: var(--dim); margin: 0 0 .4rem }
ol { margin: 0; padding: 0; list-style: none; overflow-x: auto }
li { font: 13px/1.55 ui-monospace, monospace; white-space: pre; padding: 0 .4rem }
i { color: var(--dim); font-style: normal; user-select: none }"""
_PAGE = """<!DOCTYPE html>
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
    """Return a complete page; it needs a browser and nothing else."""
    numbers = range(listing.first_line, listing.first_line + len(listing.source))
    source = [_item(n, f"<i>{n:>4} </i>{escape(t)}") for n, t in zip(numbers, listing.source)]
    converted = [_item(n, escape(t)) for n, t in zip(listing.origins, listing.converted)]
    return _PAGE.format(
        title=escape(title),
        style=STYLE,
        source="\n".join(source),
        converted="\n".join(converted),
    )


def _item(line: int, content: str) -> str:
    return f'<li data-line="{line}">{content or " "}</li>'
