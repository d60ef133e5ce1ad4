"""A TensorFlow program with its imports changed.

import tensorflow as tf                     from autograph.compat import tensorflow as tf
from tensorflow.keras.layers import (   ->  from autograph.compat.tensorflow.keras.layers import (
    Dense,  # the last one                      Dense,  # the last one
)                                           )

Only the words of the import statements change: comments, line ends and layout stay.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

OURS = "autograph.compat.tensorflow"
# The packages that our names stand for, and their paths among these.
PACKAGES = {"tensorflow": "", "keras": "keras"}


@dataclass(frozen=True, order=True)
class Change:
    """A part of a line that is another one: columns count bytes, as Python's syntax tree does."""

    line: int
    begin: int
    end_line: int
    end: int
    text: str


def path_of(module: str) -> str | None:
    """Return the path of a module among TensorFlow's names; None for those of other packages.

    >>> path_of("tensorflow.keras.layers"), path_of("keras"), path_of("tensorflow_hub")
    ('keras.layers', 'keras', None)
    """
    package, _, rest = module.partition(".")
    if package not in PACKAGES:
        return None
    return ".".join(filter(None, (PACKAGES[package], rest)))


def ported(source: str) -> str:
    """Return the source of a program with TensorFlow's imports changed to ours.

    Raises:
        SyntaxError: it is no Python.

    >>> print(ported("import os, tensorflow as tf  # both"))
    import os; from autograph.compat import tensorflow as tf  # both
    """
    lines = source.encode("utf-8").splitlines(keepends=True)
    for change in sorted(_changes(ast.parse(source), lines), reverse=True):
        first, last = lines[change.line - 1], lines[change.end_line - 1]
        text = first[: change.begin] + change.text.encode("utf-8") + last[change.end :]
        lines[change.line - 1 : change.end_line] = [text]
    return b"".join(lines).decode("utf-8")


def _changes(tree: ast.AST, lines: list[bytes]) -> Iterator[Change]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level:
            yield from _of_from(node, lines)
        elif isinstance(node, ast.Import) and any(
            path_of(each.name) is not None for each in node.names
        ):
            yield from _of_import(node)


def _of_from(node: ast.ImportFrom, lines: list[bytes]) -> Iterator[Change]:
    """Change the module's name, which stands once behind `from`."""
    path = path_of(node.module or "")
    if path is None:
        return
    written = (node.module or "").encode("utf-8")
    for line in range(node.lineno, node.end_lineno + 1 if node.end_lineno else node.lineno + 1):
        begin = node.col_offset + len(b"from") if line == node.lineno else 0
        at = lines[line - 1].find(written, begin)
        if at >= 0:
            home = ".".join(filter(None, (OURS, path)))
            yield Change(line, at, line, at + len(written), home)
            return


def _of_import(node: ast.Import) -> Iterator[Change]:
    """Write a statement for the others, and one for each module of TensorFlow's."""
    others = [each for each in node.names if path_of(each.name) is None]
    ours = [each for each in node.names if path_of(each.name) is not None]
    statements = [f"import {', '.join(map(_alias, others))}"] if others else []
    statements += dict.fromkeys(map(_statement, ours))
    text = "; ".join(statements)
    yield Change(node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0, text)


def _alias(alias: ast.alias) -> str:
    return alias.name if alias.asname is None else f"{alias.name} as {alias.asname}"


def _statement(alias: ast.alias) -> str:
    """Return the import of one module: without `as`, Python binds the package it is in."""
    path = path_of(alias.name) or ""
    if alias.asname is None:
        path = PACKAGES[alias.name.partition(".")[0]]
    home, _, name = f"{OURS}.{path}".rstrip(".").rpartition(".")
    bound = alias.asname or name
    return f"from {home} import {name}{'' if bound == name else f' as {bound}'}"
