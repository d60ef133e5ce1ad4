"""Minimization of a failing program: parts of its tree are removed while it still fails."""

from __future__ import annotations

import ast
import copy
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from tests.parity.differential.running import ENTRY

_MOST_TRIALS = 1500
_LISTS = ("body", "orelse", "finalbody", "handlers", "cases", "items", "decorator_list", "targets")
_PARTS = ("args", "keywords", "elts", "values", "generators", "ifs", "defaults", "kw_defaults",
          "bases", "posonlyargs", "kwonlyargs", "patterns", "names")  # fmt: skip

Fails = Callable[[str], bool]
LoopEnds = Callable[[ast.While], bool]
Edit = Callable[[ast.Module], bool]
Path = tuple[tuple[str, int | None], ...]


def shrunk(text: str, fails: Fails, most: int = _MOST_TRIALS, ends: LoopEnds | None = None) -> str:
    """Return a program that still fails, with as little in it as can be found.

    Args:
        text: a program for which `fails` holds.
        fails: tells whether a program fails in the way that matters.
        most: how many programs to try at most.
        ends: tells of a `while` that it ends; else each must ask `fuel` in its test.
    """
    if not fails(normal := _text(ast.parse(text))):
        return text
    text, smaller = normal, True
    while smaller:
        smaller, at = False, 0
        while most > 0 and (step := _next_smaller(text, at)) is not None:
            candidate, at = step
            most -= 1
            if _ends(candidate, ends or _asks_in_test) and fails(candidate):
                # What worked here may work again: go on at the same place, not from the start.
                text, smaller, at = candidate, True, at - 1
    return text


def _next_smaller(text: str, at: int) -> tuple[str, int] | None:
    """Return a program with one part less, and where to go on: parts that hold most come first."""
    tree = ast.parse(text)
    for place, edit in enumerate(_edits(tree)):
        if place < at:
            continue
        candidate = _edited(tree, edit)
        if candidate is not None and candidate != text and len(candidate) <= len(text):
            return candidate, place + 1
    return None


def _edited(tree: ast.Module, edit: Edit) -> str | None:
    changed = copy.deepcopy(tree)
    try:
        return _text(changed) if edit(changed) else None
    except (ValueError, AttributeError, TypeError, IndexError):
        return None  # no tree that can be written down


def _text(tree: ast.Module) -> str:
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _ends(text: str, ends: LoopEnds) -> bool:
    """Tell whether a text has a `main`, and every `while` in it ends."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "shrunk", "exec")
    except (SyntaxError, ValueError):
        return False
    tree = ast.parse(text)
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.While)]
    return _defines_entry(tree) and all(ends(loop) for loop in loops)


def _defines_entry(tree: ast.Module) -> bool:
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    targets = [t for node in tree.body if isinstance(node, ast.Assign) for t in node.targets]
    return ENTRY in functions | {t.id for t in targets if isinstance(t, ast.Name)}


def _asks_in_test(loop: ast.While) -> bool:
    return _asks(loop.test)


def _asks(test: ast.expr) -> bool:
    return any(isinstance(node, ast.Name) and node.id == "fuel" for node in ast.walk(test))


def _edits(tree: ast.Module) -> Iterator[Edit]:
    paths = sorted(_paths(tree), key=len)
    for path in paths:
        yield from _block_edits(path, _at(tree, path))
    for path in paths:
        yield from _expression_edits(path, _at(tree, path))


def _paths(node: Any, path: Path = ()) -> Iterator[Path]:
    yield path
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield from _paths(value, (*path, (field, None)))
        elif isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, ast.AST):
                    yield from _paths(item, (*path, (field, index)))


def _at(tree: Any, path: Path) -> Any:
    for field, index in path:
        tree = getattr(tree, field) if index is None else getattr(tree, field)[index]
    return tree


def _block_edits(path: Path, node: Any) -> Iterator[Edit]:
    """Drop parts of lists, halves of long ones first; put a statement's insides in its place."""
    for field in (*_LISTS, *_PARTS):
        value = getattr(node, field, None)
        if not isinstance(value, list) or not value:
            continue
        size = len(value)
        while size:
            for start in range(0, len(value), size):
                yield _drop(path, field, start, start + size)
            size //= 2
    if isinstance(node, ast.stmt) and getattr(node, "name", "") != ENTRY:
        for field in ("body", "orelse", "finalbody"):
            if isinstance(getattr(node, field, None), list):
                yield _unwrap(path, field)
        for handler in range(len(getattr(node, "handlers", ()))):
            yield _unwrap((*path, ("handlers", handler)), "body", path)
        for case in range(len(getattr(node, "cases", ()))):
            yield _unwrap((*path, ("cases", case)), "body", path)


def _drop(path: Path, field: str, start: int, stop: int) -> Edit:
    def edit(tree: ast.Module) -> bool:
        node = _at(tree, path)
        items = getattr(node, field)
        del items[start:stop]
        if field == "values" and isinstance(node, ast.Dict):
            del node.keys[start:stop]
        if field == "values" and isinstance(node, ast.BoolOp) and len(items) == 1:
            return _put(tree, path, items[0])
        if field == "body" and not items and not isinstance(node, ast.Module):
            items.append(ast.Pass())
        return True

    return edit


def _unwrap(path: Path, field: str, outer: Path | None = None) -> Edit:
    def edit(tree: ast.Module) -> bool:
        place = path if outer is None else outer
        (name, index), parent = place[-1], _at(tree, place[:-1])
        inside = getattr(_at(tree, path), field)
        if index is None or not inside:
            return False
        getattr(parent, name)[index : index + 1] = inside
        return True

    return edit


def _expression_edits(path: Path, node: Any) -> Iterator[Edit]:
    """Put a part of an expression, or a literal, in its place; drop optional parts."""
    for field in (
        "returns",
        "annotation",
        "optional_vars",
        "guard",
        "cause",
        "msg",
        "value",
        "name",
    ):
        if getattr(node, field, None) is not None:
            yield _cleared(path, field)
    if not isinstance(node, ast.expr) or _asks(node):
        return
    if not isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
        for literal in (0, 1, None):
            yield _replaced(path, lambda tree, literal=literal: ast.Constant(literal))
        yield _replaced(path, lambda tree: ast.List([], ast.Load()))
    for child in _paths(node):
        inner = _at(node, child)
        if child and isinstance(inner, ast.expr) and len(child) <= 4:
            yield _replaced(path, lambda tree, child=child: _at(tree, (*path, *child)))


def _cleared(path: Path, field: str) -> Edit:
    def edit(tree: ast.Module) -> bool:
        setattr(_at(tree, path), field, None)
        return True

    return edit


def _replaced(path: Path, make: Callable[[ast.Module], Any]) -> Edit:
    return lambda tree: _put(tree, path, make(tree))


def _put(tree: ast.Module, path: Path, new: Any) -> bool:
    if not path:
        return False
    (field, index), parent = path[-1], _at(tree, path[:-1])
    if index is None:
        setattr(parent, field, new)
    else:
        getattr(parent, field)[index] = new
    return True
