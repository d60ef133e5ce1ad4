"""Pages with the sources to which the site links: one for each file, with numbered lines."""

from __future__ import annotations

import ast
import html
import re
from collections.abc import Iterable
from pathlib import Path

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_for_filename
from pygments.util import ClassNotFound

from tools.docs_pages import ROOT, source_place

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{name}</title>
<link rel="stylesheet" href="{top}source/source.css">
</head>
<body>
<p><a href="{top}index.html">autograph</a> / {path}</p>
{body}
</body>
</html>
"""
STYLE = """body { margin: 1rem 1.5rem; background: #fff; color: #24292f; color-scheme: light dark;
  font: 14px/1.5 system-ui, sans-serif; }
pre { font: 13px/1.45 ui-monospace, Menlo, Consolas, monospace; overflow-x: auto; }
a { color: #0550ae; text-decoration: none; }
a:hover { text-decoration: underline; }
.linenos { color: #8c959f; user-select: none; padding-right: 1em; }
span:target, a:target + * { background: #fff8c5; }
td { padding: 0.1rem 1rem 0.1rem 0; vertical-align: top; }
.highlight, .highlight pre { background: transparent; }
@media (prefers-color-scheme: dark) {
  body { background: #131416; color: #cfd0d0; }
  a { color: #6cb6ff; }
  span:target { background: #3b3a1c; }
}
"""


def write_sources(files: Iterable[Path], site: Path) -> None:
    """Write a page for each file or folder, and for the files of the folders, into a site."""
    folders = {each for each in files if each.is_dir()}
    inside = {file for folder in folders for file in folder.glob("*.py")}
    for file in sorted({*files, *inside} - folders):
        _write(file, _listing(file), site)
    for folder in sorted(folders):
        _write(folder, _modules(folder), site)
    dark = HtmlFormatter(style="github-dark").get_style_defs(".highlight")
    light = HtmlFormatter(style="friendly").get_style_defs(".highlight")
    dark_only = f"@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"
    (site / "source" / "source.css").write_text(f"{light}\n{dark_only}{STYLE}", encoding="utf-8")


def _write(file: Path, body: str, site: Path) -> None:
    target = site / source_place(file)
    target.parent.mkdir(parents=True, exist_ok=True)
    name = file.relative_to(ROOT).as_posix()
    top = "../" * (len(target.relative_to(site).parts) - 1)
    text = PAGE.format(name=name, path=" / ".join(name.split("/")), top=top, body=body)
    target.write_text(text, encoding="utf-8")


def _listing(file: Path) -> str:
    try:
        lexer = get_lexer_for_filename(file.name)
    except ClassNotFound:
        lexer = get_lexer_for_filename("page.txt")
    formatter = HtmlFormatter(linenos="inline", linespans="L", anchorlinenos=False)
    text = highlight(file.read_text(encoding="utf-8"), lexer, formatter)
    return text.replace('<span id="L-', '<span id="L')


def _modules(folder: Path) -> str:
    rows = []
    for file in sorted(folder.glob("*.py")):
        text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
        sentence = html.escape(text.partition("\n\n")[0])
        rows.append(
            f'<tr><td><a href="../{folder.name}/{file.name}.html">{file.name}</a></td>'
            f"<td>{sentence}</td></tr>"
        )
    return "<table>\n" + "\n".join(rows) + "\n</table>"


def linked_from(folder: Path) -> set[Path]:
    """The files to whose sources the pages in a folder of the site link."""
    found: set[Path] = set()
    for page in folder.glob("*.html"):
        names = re.findall(r'href="\.\./source/([^"#]+)\.html[#"]', page.read_text("utf-8"))
        found |= {ROOT / name for name in names}
    return found
