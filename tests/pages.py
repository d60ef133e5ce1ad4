"""The project's pages: their Python blocks, console commands, links, and the names in them."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
# Packages of an extra that the examples of a page need.
PACKAGES = {
    "docs/devices.md": ("jax",),
    "docs/jax.md": ("jax",),
    "docs/jax_programs.md": ("jax",),
    "docs/phones.md": ("ai_edge_litert", "litert_converter"),
}
PAGES = (
    README,
    ROOT / "ARCHITECTURE.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *sorted((ROOT / "docs").rglob("*.md")),
)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
# A file in parentheses without a text in brackets, which is no link: [`key_of`(../trace_key.py).
UNOPENED = re.compile(r"[^\s\]]\([\w./-]+/[\w.-]+\.(?:py|md)\)")
# A link to a heading: [passes](graph-and-passes.md#passes), or of the page itself.
ANCHOR = re.compile(r"\]\(([^)#:]*)#([^)]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
# A link whose text is a name, and that leads to a module: [`key_of`](../trace_key.py).
DEFINED = re.compile(r"\[`([A-Za-z_][\w.]*?)(?:\(\))?`\]\(([^)#:]+\.py)\)")
# A file of the project in the text: `runtime/ops/op.py`.
FILE = re.compile(r"(?<!\[)`((?:[\w.*-]+/)+[\w.*-]+\.(?:py|md|json|svg))`")
# A module, and perhaps a name in it: `runtime.passes.optimize`.
MODULE = re.compile(r"`((?:autograph|runtime)(?:\.\w+)+)(?:\(.*?\))?`")
FENCE = re.compile(r"^```(\{?[\w-]+\}?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
# The words of a message, in the first column of a table.
QUOTED = re.compile(r"(?:^\| |\*, )\*([^*]+)(?=\*[ ,])", re.MULTILINE)
PICTURE = ":tags: [picture]\n"
COMMAND = "$ python -m autograph "


@dataclass(frozen=True)
class Block:
    """A Python block, and the output the `text` block below it promises (None without one)."""

    source: str
    output: str | None


@dataclass(frozen=True)
class Command:
    """The words after `python -m autograph` and the output shown below the command."""

    words: tuple[str, ...]
    output: str


def fences(text: str) -> list[tuple[str, str]]:
    """Every fenced block as (language, text), in order."""
    return FENCE.findall(text)


def python_blocks(text: str) -> list[Block]:
    """The Python blocks with the output that follows each."""
    found = fences(text)
    following = [*found[1:], ("", "")]
    return [
        Block(source, after if kind == "text" else None)
        for (language, source), (kind, after) in zip(found, following)
        if language == "python"
    ]


def cells(text: str) -> list[str]:
    """The code cells of a notebook, without those that make a picture.

    >>> cells("```{code-cell}\\nx = 1\\n```\\n")
    ['x = 1\\n']
    """
    found = [source for language, source in fences(text) if language == "{code-cell}"]
    return [source for source in found if not source.startswith(PICTURE)]


def commands(text: str) -> list[Command]:
    """The `python -m autograph` commands of all console blocks."""
    return [
        command
        for language, block in fences(text)
        if language == "console"
        for command in _commands_of(block)
    ]


def _commands_of(block: str) -> list[Command]:
    parts = re.split(r"^(?=\$ )", block, flags=re.MULTILINE)
    ours = [part for part in parts if part.startswith(COMMAND)]
    return [
        Command(tuple(shlex.split(head.removeprefix(COMMAND))), output)
        for head, _, output in (part.partition("\n") for part in ours)
    ]


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them.

    >>> anchors("# Write an op\\n")
    {'write-an-op'}
    """
    headings = HEADING.findall(without_fences(text))
    return {re.sub(r"[^\w -]", "", each).strip().lower().replace(" ", "-") for each in headings}


def without_fences(text: str) -> str:
    """The text of a page between its fenced blocks."""
    return FENCE.sub("", text)


def names_defined_in(path: Path) -> frozenset[str]:
    """The names that a module defines: `f`, `Class`, `Class.method`, `CONSTANT`."""
    return frozenset(_names(ast.parse(path.read_text(encoding="utf-8")).body))


def _names(body: list[ast.stmt], prefix: str = "") -> Iterator[str]:
    for each in body:
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield prefix + each.name
        if isinstance(each, ast.ClassDef):
            yield from _names(each.body, f"{prefix}{each.name}.")
        if isinstance(each, (ast.Assign, ast.AnnAssign)):
            for node in ast.walk(each):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    yield prefix + node.id


def identifiers(text: str) -> set[str]:
    """The identifiers in the inline code of a page.

    >>> sorted(identifiers("call `f(x, one_more)` of `m.py`"))
    ['one_more', 'py']
    """
    code = CODE.findall(without_fences(text))
    return {word for each in code for word in re.findall(r"[A-Za-z_]\w+", each)}


def raised_in(names: Collection[str]) -> dict[str, set[str]]:
    """The files of the project that make or raise each class of error, or warn of it."""
    found: dict[str, set[str]] = {name: set() for name in names}
    word = re.compile(rf"\b(?:{'|'.join(names)})\b")
    for path in (file for room in ("autograph", "runtime") for file in (ROOT / room).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if word.search(text):
            for name in _errors_in(ast.parse(text)) & found.keys():
                found[name].add(path.relative_to(ROOT).as_posix())
    return found


def _errors_in(tree: ast.AST) -> set[str]:
    made: list[ast.expr | None] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            made += [node.func, *(node.args if _name(node.func).startswith("warn") else ())]
        if isinstance(node, ast.Raise):
            made.append(node.exc)
    return set(map(_name, made))


def _name(node: ast.expr | None) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
