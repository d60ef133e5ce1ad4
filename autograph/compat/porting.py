"""Changes the imports of a TensorFlow program, and lists the names that it uses.

import tensorflow as tf                     from autograph.compat import tensorflow as tf
from tensorflow.keras.layers import (   ->  from autograph.compat.tensorflow.keras.layers import (
    Dense,  # the last one                      Dense,  # the last one
)                                           )

Only the import statements change; comments, line ends and layout stay.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

OURS = "autograph.compat.tensorflow"
# The packages that are replaced, and their paths among TensorFlow's names.
PACKAGES = {"tensorflow": "", "keras": "keras"}


@dataclass(frozen=True, order=True)
class SourceReplacement:
    """A replacement of a span of the source; columns count bytes, as in Python's syntax tree."""

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
    """Return the source of a program with changed imports.

    Raises:
        SyntaxError: it is not Python.

    >>> print(ported("import os, tensorflow as tf  # both"))
    import os; from autograph.compat import tensorflow as tf  # both
    """
    lines = source.encode("utf-8").splitlines(keepends=True)
    for change in sorted(_changes(ast.parse(source), lines), reverse=True):
        first, last = lines[change.line - 1], lines[change.end_line - 1]
        text = first[: change.begin] + change.text.encode("utf-8") + last[change.end :]
        lines[change.line - 1 : change.end_line] = [text]
    return b"".join(lines).decode("utf-8")


def _changes(tree: ast.AST, lines: list[bytes]) -> Iterator[SourceReplacement]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level:
            yield from _from_replacements(node, lines)
        elif isinstance(node, ast.Import) and any(
            path_of(each.name) is not None for each in node.names
        ):
            yield from _import_replacements(node)


def _from_replacements(node: ast.ImportFrom, lines: list[bytes]) -> Iterator[SourceReplacement]:
    """Yield the change of the module's name after `from`."""
    path = path_of(node.module or "")
    if path is None:
        return
    written = (node.module or "").encode("utf-8")
    for line in range(node.lineno, node.end_lineno + 1 if node.end_lineno else node.lineno + 1):
        begin = node.col_offset + len(b"from") if line == node.lineno else 0
        at = lines[line - 1].find(written, begin)
        if at >= 0:
            home = ".".join(filter(None, (OURS, path)))
            yield SourceReplacement(line, at, line, at + len(written), home)
            return


def _import_replacements(node: ast.Import) -> Iterator[SourceReplacement]:
    """Yield the change to one import of the other modules, and one for each of TensorFlow's."""
    others = [each for each in node.names if path_of(each.name) is None]
    ours = [each for each in node.names if path_of(each.name) is not None]
    statements = [f"import {', '.join(map(_alias, others))}"] if others else []
    statements += dict.fromkeys(map(_statement, ours))
    text = "; ".join(statements)
    yield SourceReplacement(
        node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0, text
    )


def _alias(alias: ast.alias) -> str:
    return alias.name if alias.asname is None else f"{alias.name} as {alias.asname}"


def _statement(alias: ast.alias) -> str:
    """Return the changed import of one module; without `as`, it is the import of its package."""
    path = path_of(alias.name) or ""
    if alias.asname is None:
        path = PACKAGES[alias.name.partition(".")[0]]
    home, _, name = f"{OURS}.{path}".rstrip(".").rpartition(".")
    bound = alias.asname or name
    return f"from {home} import {name}{'' if bound == name else f' as {bound}'}"


# -- names in use ----------------------------------------------------------------------------------


_Function = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_Import = (ast.Import, ast.ImportFrom)


@dataclass(frozen=True, order=True)
class Use:
    """A use of a TensorFlow name in a program: its line, and its path without `tensorflow`."""

    line: int
    path: str


def uses(source: str) -> list[Use]:
    """Return the uses of TensorFlow's names in a program, in the order of their lines.

    >>> [use.path for use in uses("from tensorflow import keras as k; k.layers.Dense(1)")]
    ['keras', 'keras.layers.Dense']
    """
    return sorted({*_within(ast.parse(source), {})})


def _within(scope: ast.AST, around: Mapping[str, str]) -> Iterator[Use]:
    """Yield the uses in a module or function; `around` has the names bound outside of it."""
    nodes = list(_nodes(scope))
    bound = {name: path for name, path in around.items() if name not in _own_names(scope, nodes)}
    for node in nodes:
        if isinstance(node, _Import):
            bound.update((name, path) for name, path in _bindings(node))
            yield from (Use(node.lineno, path) for path in _imported(node))
    inner = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
    for node in nodes:
        if isinstance(node, ast.Attribute) and id(node) not in inner:
            yield from _attribute(node, bound)
        elif isinstance(node, _Function):
            yield from _within(node, bound)


def _nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a scope, but not of the bodies of functions in it."""
    for node in ast.iter_child_nodes(scope):
        yield node
        if not isinstance(node, _Function):
            yield from _nodes(node)
        elif not isinstance(node, ast.Lambda):
            for each in (*node.decorator_list, *node.args.defaults):
                yield each
                yield from _nodes(each)


def _own_names(scope: ast.AST, nodes: list[ast.AST]) -> set[str]:
    """Return the local variables of a function, which hide the names outside."""
    if not isinstance(scope, _Function):
        return set()
    stored = {each.id for each in nodes if isinstance(each, ast.Name) and _is_stored(each)}
    return stored | {each.arg for each in ast.walk(scope.args) if isinstance(each, ast.arg)}


def _is_stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _bindings(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """Yield the names that an import binds, and their paths."""
    for alias, path in _aliases(node):
        if isinstance(node, ast.ImportFrom):
            yield alias.asname or alias.name, path
        elif alias.asname:
            yield alias.asname, path
        else:
            package = alias.name.partition(".")[0]
            yield package, PACKAGES[package]


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    return (path for _, path in _aliases(node) if path)


def _aliases(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[ast.alias, str]]:
    for alias in node.names:
        if isinstance(node, ast.Import):
            path = path_of(alias.name)
        elif node.level or alias.name == "*" or path_of(node.module or "") is None:
            path = None
        else:
            path = ".".join(filter(None, (path_of(node.module or ""), alias.name)))
        if path is not None:
            yield alias, path


def _attribute(node: ast.Attribute, bound: Mapping[str, str]) -> Iterator[Use]:
    """Yield the use in an attribute such as `tf.math.exp`, if an import binds `tf`."""
    parts: list[str] = []
    place: ast.expr = node
    while isinstance(place, ast.Attribute):
        parts.insert(0, place.attr)
        place = place.value
    if isinstance(place, ast.Name) and place.id in bound:
        yield Use(node.lineno, ".".join(filter(None, (bound[place.id], *parts))))


def needing_tensorflow(source: str) -> Iterator[tuple[int, str]]:
    """Yield the lines and names of packages that need TensorFlow, such as tensorflow_hub.

    >>> list(needing_tensorflow("import tensorflow_hub as hub"))
    [(1, 'tensorflow_hub')]
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            modules = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            modules = [node.module or ""]
        else:
            continue
        for package in (module.partition(".")[0] for module in modules):
            if package.startswith(("tensorflow_", "keras_")):
                yield node.lineno, package
