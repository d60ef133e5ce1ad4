"""Constructs of a function that may depend on tensors: the rows of a report.

Every row has the outcome if no converter takes the construct: most stay Python, and the reason is
that of their kind or of their place.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

import gast

from autograph.analysis.grammar import FUNCTIONS
from autograph.syntax.tree import children


class Outcome(Enum):
    """The outcome of a construct; the value is the word beside its line.

    STAGED: a node of the graph where it depends on tensors.
    CALL: a call that converts the function it calls.
    PYTHON: Python runs it, also where it depends on tensors.
    NOTE: Python runs it, and that is no loss.
    """

    STAGED = "staged"
    CALL = "call"
    PYTHON = "python"
    NOTE = "note"


# The kind of a construct and its span: line, column, end line, end column.
Key = tuple[type, int, int, int, int]
Fate = tuple[Outcome, str]


@dataclass(frozen=True, slots=True)
class Construct:
    """One construct of a function.

    Attributes:
        key: the key by which converters find it again.
        word: the user's word for it: `if`, `list comprehension`, ...
        fate: the outcome if no converter takes it; None: nothing worth a row.
    """

    key: Key
    word: str
    fate: Fate | None

    @property
    def quoted(self) -> str:
        """The word, in backquotes where it is Python's."""
        return f"`{self.word}`" if _is_keyword(self.word.split()[-1]) else self.word


_UNTAKEN: Fate = (Outcome.PYTHON, "generated code has no form for it")
_UNREACHED: Fate = (Outcome.NOTE, "it is never reached")
_SUSPENDS: Fate = (Outcome.NOTE, "it is Python's own, as a `yield`, an `await` or a jump is in it")
_OWN: Fate = (Outcome.NOTE, "it is Python's own; what is inside it is converted")
_GROUPS: Fate = (Outcome.PYTHON, "its handlers see what is raised while tracing alone")
_AWAITS: Fate = (Outcome.PYTHON, "it awaits its items")
_IN_CLASS: Fate = (Outcome.PYTHON, "a class body runs in its own namespace")
_DECORATES: Fate = (Outcome.NOTE, "a decorator is applied by Python")
_BASES: Fate = (Outcome.NOTE, "the bases of a class are found by Python")

_KINDS: dict[type, tuple[str, Fate | None]] = {
    gast.If: ("if", _UNTAKEN),
    gast.For: ("for", _UNTAKEN),
    gast.AsyncFor: ("async for", _AWAITS),
    gast.While: ("while", _UNTAKEN),
    gast.Break: ("break", None),
    gast.Continue: ("continue", None),
    gast.Return: ("return", None),
    gast.Assert: ("assert", _UNTAKEN),
    gast.Assign: ("item assignment", None),
    gast.Match: ("match", _UNTAKEN),
    gast.Try: ("try", _SUSPENDS),
    gast.TryStar: ("except*", _GROUPS),
    gast.With: ("with", _SUSPENDS),
    gast.AsyncWith: ("async with", _OWN),
    gast.BoolOp: ("or", _UNTAKEN),
    gast.UnaryOp: ("not", _UNTAKEN),
    gast.Compare: ("chained comparison", _UNTAKEN),
    gast.IfExp: ("conditional expression", _UNTAKEN),
    gast.Call: ("call", _UNTAKEN),
    gast.ListComp: ("list comprehension", _UNTAKEN),
    gast.SetComp: ("set comprehension", _UNTAKEN),
    gast.DictComp: ("dict comprehension", _UNTAKEN),
    gast.GeneratorExp: ("generator expression", _UNTAKEN),
}
# The parts that Python evaluates when it defines a function or class, with their fate.
_DEFINED: dict[str, Fate] = {"decorator_list": _DECORATES, "bases": _BASES, "keywords": _BASES}


def key_of(node: Any) -> Key | None:
    """Return the key of a node, or None for one that is no construct.

    >>> from autograph.syntax.tree import parse
    >>> key_of(parse("if x: y").body[0])[1:]
    (1, 0, 1, 7)
    """
    kind = next((kind for kind in type(node).__mro__ if kind in _KINDS), None)
    if kind is None or getattr(node, "end_lineno", None) is None or not _counts(node):
        return None
    return (kind, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)


def constructs_of(tree: Any, lines: tuple[str, ...]) -> dict[Key, Construct]:
    """Return the constructs of a function as the user wrote it.

    Args:
        tree: its definition, before any converter has seen it.
        lines: the lines of its file.
    """
    body = tree.body if isinstance(tree.body, list) else [tree.body]
    found = (construct for node in body for construct in _walk(node, None, lines))
    return {construct.key: construct for construct in found}


def fate_of(construct: Construct, is_left: bool) -> Fate | None:
    """Return the outcome of a construct that no converter took.

    Args:
        construct: the construct.
        is_left: whether it is still in the converted function.
    """
    if construct.fate is None or is_left:
        return construct.fate
    return _UNREACHED


def _is_keyword(word: str) -> bool:
    return keyword.iskeyword(word) or keyword.issoftkeyword(word)


def _counts(node: Any) -> bool:
    if isinstance(node, gast.Compare):
        return len(node.ops) > 1
    if isinstance(node, gast.UnaryOp):
        return isinstance(node.op, gast.Not)
    if isinstance(node, gast.Assign):
        return any(isinstance(target, gast.Subscript) for target in node.targets)
    return True


def _walk(node: Any, place: Fate | None, lines: tuple[str, ...]) -> Iterator[Construct]:
    """Yield the constructs in a node; `place` is the fate of constructs at its position."""
    key = key_of(node)
    if key is not None:
        word, fate = _KINDS[key[0]]
        yield Construct(key, _word(node, word, lines), fate and (place or fate))
    for child, inside in _inside(node, place):
        yield from _walk(child, inside, lines)


def _inside(node: Any, place: Fate | None) -> Iterator[tuple[Any, Fate | None]]:
    """Yield the children of a node that are evaluated, each with its place."""
    if isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
        yield from _inside_definition(node, place)
    elif isinstance(node, gast.AnnAssign):
        yield from ((child, place) for child in (node.target, node.value) if child is not None)
    elif type(node).__name__ != "TypeAlias":
        yield from ((child, place) for child in children(node))


def _inside_definition(node: Any, place: Fate | None) -> Iterator[tuple[Any, Fate | None]]:
    for field, fate in _DEFINED.items():
        yield from ((child, place or fate) for child in getattr(node, field, ()))
    if isinstance(node, FUNCTIONS):
        defaults = (*node.args.defaults, *node.args.kw_defaults)
        yield from ((child, place) for child in defaults if child is not None)
    inside = _IN_CLASS if isinstance(node, gast.ClassDef) else None
    yield from ((child, inside) for child in node.body)


def _word(node: Any, word: str, lines: tuple[str, ...]) -> str:
    if isinstance(node, gast.BoolOp):
        return "and" if isinstance(node.op, gast.And) else "or"
    if isinstance(node, gast.If):
        line = lines[node.lineno - 1].encode() if node.lineno <= len(lines) else b""
        return "elif" if line[node.col_offset :].startswith(b"elif") else word
    return word
