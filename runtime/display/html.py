"""Parts of HTML forms: titles, tables and texts of bounded size, in the light or dark of the page.

They need no script and no network. All text is escaped, since names and values are the user's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import islice

# The most rows of a table, lines of a text, and characters of a cell or line.
MOST_ROWS, MOST_LINES, LONGEST = 60, 120, 200

_DARK = (
    '[data-jp-theme-light="false"] .ag-view,.vscode-dark .ag-view,'
    'html[theme="dark"] .ag-view,[data-theme="dark"] .ag-view'
)
STYLE = f"""<style>
.ag-view{{color-scheme:light;font:13px/1.5 var(--jp-content-font-family,sans-serif);overflow-x:auto;
--ag-dim:light-dark(#636b74,#9aa4af);--ag-edge:light-dark(#d5dbe2,#414a54);
--ag-staged:light-dark(#1a7f37,#5fca7c);--ag-call:light-dark(#0b63b5,#79b8ff);
--ag-python:light-dark(#b3261e,#ff8a80);--ag-graph:light-dark(#6f42c1,#c8a6ff);
color:var(--jp-content-font-color1,light-dark(#1b1b1b,#e4e4e0))}}
{_DARK}{{color-scheme:dark}}
@media (prefers-color-scheme:dark){{[data-theme="auto"] .ag-view{{color-scheme:dark}}}}
.ag-view pre,.ag-view code,.ag-view td,.ag-view ol li{{background:none;color:inherit;padding:0;
border:0;font:12px/1.55 var(--jp-code-font-family,ui-monospace,Menlo,Consolas,monospace)}}
.ag-view pre{{margin:.2rem 0;overflow-x:auto;white-space:pre}}
.ag-view p{{margin:.2rem 0}}
.ag-view .ag-dim,.ag-view i{{color:var(--ag-dim);font-style:normal}}
.ag-view table{{border-collapse:collapse;margin:.3rem 0;font-size:12px;border:0}}
.ag-view th{{text-align:left;font-weight:600;color:var(--ag-dim)}}
.ag-view.ag-view :is(th,td){{padding:.05rem .9rem .05rem 0;border:0;background:none;
vertical-align:top;text-align:left;white-space:pre;max-width:none}}
.ag-view thead tr{{border-bottom:1px solid var(--ag-edge)}}
.ag-view.ag-view .ag-number{{text-align:right}}
.ag-view ol{{margin:.2rem 0;padding:0;list-style:none}}
.ag-view ol li{{white-space:pre;margin:0}}
.ag-view li b{{display:inline-block;min-width:7ch;font-weight:600}}
.ag-view li u{{display:inline-block;min-width:5ch;text-align:right;text-decoration:none}}
.ag-view li i{{user-select:none}}
.ag-view .staged b,.ag-view em.staged,.ag-view .ag-good{{color:var(--ag-staged)}}
.ag-view .call b,.ag-view em.call{{color:var(--ag-call)}}
.ag-view .python b,.ag-view .failed b,.ag-view em.python,.ag-view .ag-bad{{color:var(--ag-python)}}
.ag-view .graph b{{color:var(--ag-graph)}}
.ag-view em{{font-style:normal}}
.ag-view .not-run,.ag-view .remark,.ag-view em.note{{color:var(--ag-dim)}}
.ag-view .kept{{background:color-mix(in srgb,var(--ag-python) 12%,transparent)}}
.ag-view .ag-bar{{display:inline-block;height:.6em;min-width:1px;background:var(--ag-call)}}
.ag-view details{{margin:.2rem 0}}
.ag-view summary{{cursor:pointer;color:var(--ag-dim)}}
.ag-view img{{image-rendering:pixelated;max-width:100%;margin:.3rem 0;
outline:1px solid var(--ag-edge)}}
.ag-view iframe{{box-sizing:border-box;width:100%;height:24rem;color-scheme:inherit;
border:1px solid var(--ag-edge)}}
</style>"""


class Markup(str):
    """A text that is HTML already."""

    __slots__ = ()


def markup(text: str) -> Markup:
    """Return a text as HTML; a text that is HTML already stays the same.

    >>> markup("a < b"), markup(Markup("<b>a</b>"))
    ('a &lt; b', '<b>a</b>')
    """
    return text if isinstance(text, Markup) else Markup(escape(text))


def shortened(text: str, longest: int = LONGEST) -> str:
    """Return a text, or its beginning and the number of characters that are left out.

    >>> shortened("abcdef", 3)
    'abc... (3 more)'
    """
    over = len(text) - longest
    return text if over <= 0 else f"{text[:longest]}... ({over:,} more)"


def view(title: str, *parts: str, note: str = "") -> str:
    """Return a form: a title with a note beside it, and parts below.

    Args:
        title: the title, in bold.
        parts: the parts; text is escaped.
        note: a text beside the title.

    >>> view("<f>", Markup("<p>x</p>")).endswith("<p><b>&lt;f&gt;</b></p><p>x</p></div>")
    True
    """
    beside = f' <span class="ag-dim">{markup(note)}</span>' if note else ""
    head = f"<p><b>{markup(shortened(title))}</b>{beside}</p>"
    return f'{STYLE}<div class="ag-view">{head}{"".join(map(markup, parts))}</div>'


def paragraph(text: str) -> Markup:
    """Return a text as a paragraph.

    >>> paragraph("a")
    '<p>a</p>'
    """
    return Markup(f"<p>{markup(text)}</p>")


def code(text: str, most: int = MOST_LINES) -> Markup:
    """Return a text in the font of code: at most `most` lines, each shortened.

    >>> code("a\\nb", 1)
    '<pre>a\\n<i>1 more line</i></pre>'
    """
    lines = text.rstrip("\n").split("\n")
    shown = [escape(shortened(line)) for line in lines[:most]]
    if len(lines) > most:
        shown.append(f"<i>{counted(len(lines) - most, 'more line')}</i>")
    return Markup(f"<pre>{chr(10).join(shown)}</pre>")


def table(
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    numbers: Sequence[int] = (),
    most: int = MOST_ROWS,
) -> Markup:
    """Return a table of at most `most` rows; text is escaped and shortened.

    Args:
        head: the titles of the columns; empty for none.
        rows: the rows.
        numbers: the columns that are aligned to the right.
        most: the most rows; the number of the others is told below.

    >>> table((), [("<a>", "1")], numbers=[1])
    '<table><tbody><tr><td>&lt;a&gt;</td><td class="ag-number">1</td></tr></tbody></table>'
    """
    waiting = iter(rows)
    body = "".join(_row("td", row, numbers) for row in islice(waiting, most))
    left = sum(1 for _ in waiting)
    if left:
        body += _row("td", [Markup(f"<i>{counted(left, 'more row')}</i>")], ())
    titles = f"<thead>{_row('th', head, numbers)}</thead>" if head else ""
    return Markup(f"<table>{titles}<tbody>{body}</tbody></table>")


def _row(tag: str, cells: Sequence[str], numbers: Sequence[int]) -> str:
    classes = [' class="ag-number"' if at in numbers else "" for at in range(len(cells))]
    texts = (each if isinstance(each, Markup) else escape(shortened(each)) for each in cells)
    made = (f"<{tag}{kind}>{text}</{tag}>" for kind, text in zip(classes, texts))
    return f"<tr>{''.join(made)}</tr>"


def details(summary: str, *parts: str) -> Markup:
    """Return parts that a reader opens by a click on their summary.

    >>> details("as text", "x")
    '<details><summary>as text</summary>x</details>'
    """
    body = "".join(map(markup, parts))
    return Markup(f"<details><summary>{markup(summary)}</summary>{body}</details>")


def counted(number: int, noun: str) -> str:
    """Return a number and a noun, in the plural if needed.

    >>> counted(1, "node"), counted(2000, "node")
    ('1 node', '2,000 nodes')
    """
    return f"{number:,} {noun}{'s' * (number != 1)}"
