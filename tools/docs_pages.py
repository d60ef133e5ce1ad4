"""The pages of the site: those of docs/ and of the top level, with links that fit the site.

A link to a file that is no page of the site leads to a page with its source, which is returned.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
# Pages that are not in docs/, and their place in the site.
ELSEWHERE = {
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "golden_outputs/engines.md": "compared/engines.md",
    "golden_outputs/onnx.md": "compared/onnx.md",
    "golden_outputs/saved_models.md": "compared/saved_models.md",
    "golden_outputs/tensorflow.md": "compared/tensorflow.md",
    "golden_outputs/tflite.md": "compared/tflite.md",
    "tools/bench/RESULTS.md": "compared/speed.md",
}
START = "index.md"
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])+)\]\(([^)#:\s]*)(#[^)\s]*)?\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"`([A-Za-z_][\w.]*?)(?:\(\))?`")


def places() -> dict[Path, str]:
    """The file of each page, and its place in the site."""
    own = {page: page.relative_to(DOCS).as_posix() for page in sorted(DOCS.rglob("*.md"))}
    return {**own, **{ROOT / file: place for file, place in ELSEWHERE.items()}}


def write_pages(folder: Path) -> set[Path]:
    """Write all pages and pictures into a folder; return the sources to which they link."""
    sources: set[Path] = set()
    found = places()
    for page, place in found.items():
        text = page.read_text(encoding="utf-8")
        write(folder / place, "".join(_for_site(text, page, place, found, sources)))
    for file in set(folder.rglob("*.md")) - {folder / place for place in found.values()}:
        file.unlink()
    shutil.copytree(DOCS / "images", folder / "images", dirs_exist_ok=True)
    return sources


def write(file: Path, text: str) -> None:
    """Write a file unless it has the text: Sphinx reads a newer file again."""
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def _for_site(
    text: str, page: Path, place: str, found: dict[Path, str], sources: set[Path]
) -> Iterator[str]:
    end = 0

    def replaced(link: re.Match[str]) -> str:
        return _link(link, page, place, found, sources)

    for fence in FENCE.finditer(text):
        yield _pictures(LINK.sub(replaced, text[end : fence.start()]), page, place)
        yield fence[0]
        end = fence.end()
    yield _pictures(LINK.sub(replaced, text[end:]), page, place)


def _link(
    link: re.Match[str], page: Path, place: str, found: dict[Path, str], sources: set[Path]
) -> str:
    words, path, anchor = link[1], link[2], link[3] or ""
    if not path:
        return link[0]
    file = (page.parent / path).resolve()
    if file == ROOT / "README.md":
        return f"[{words}]({_relative(START, place)})"
    if file in found:
        return f"[{words}]({_relative(found[file], place)}{anchor})"
    sources.add(file)
    address = _relative(source_place(file), place) + _line_anchor(words, file)
    return f'<a class="source" href="{address}">{words}</a>'


def _pictures(text: str, page: Path, place: str) -> str:
    """Let pictures of a page that moves be found."""
    if DOCS in page.parents:
        return text
    return text.replace("](docs/images/", f"]({_relative('images', place)}/")


def _relative(target: str, place: str) -> str:
    return os.path.relpath(target, PurePosixPath(place).parent)


def source_place(file: Path) -> str:
    """The place of the page with a source; that of a folder lists its modules."""
    name = file.relative_to(ROOT).as_posix()
    return f"source/{name}/index.html" if file.is_dir() else f"source/{name}.html"


def _line_anchor(words: str, file: Path) -> str:
    name = NAME.fullmatch(words)
    if name is None or file.suffix != ".py":
        return ""
    line = _line_of(name[1].split("."), ast.parse(file.read_text(encoding="utf-8")).body)
    return f"#L{line}" if line else ""


def _line_of(names: list[str], body: list[ast.stmt]) -> int | None:
    for each in body:
        if isinstance(each, (ast.FunctionDef, ast.ClassDef)) and each.name == names[0]:
            return _line_of(names[1:], each.body) if names[1:] else each.lineno
        if isinstance(each, (ast.Assign, ast.AnnAssign)) and names[0] in ast.unparse(each):
            return each.lineno
    return None
