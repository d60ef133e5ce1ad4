"""Constructs of a function that may depend on tensors: the rows of a report.

Each row has a default, the outcome if no converter reports one: mostly that the construct stays
Python, with a reason for its kind or for its place.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterator
from enum import Enum
from typing import Any, NamedTuple

import gast

from autograph.analysis.grammar import FUNCTIONS
from autograph.syntax.tree import children


class ConstructOutcome(Enum):
    """The outcome of a construct; the value is the label beside its line.

    STAGED: it is staged if it depends on tensors.
    CALL: it is a call that converts its callee.
    PYTHON: Python runs it, even if it depends on tensors.
    NOTE: Python runs it, and it need not be staged.
    """

    STAGED = "staged"
    CALL = "call"
    PYTHON = "python"
    NOTE = "note"


# The kind of a construct and its span: line, column, end line, end column.
Key = tuple[type, int, int, int, int]
OutcomeAndReason = tuple[ConstructOutcome, str]
_PYTHON, _NOTE = ConstructOutcome.PYTHON, ConstructOutcome.NOTE


class Construct(NamedTuple):
    """One construct of a function.

    Attributes:
        key: the key by which converters report about it.
        word: its name: `if`, `list comprehension`, ...
        default: the outcome if no converter reports one; None for no row.
    """

    key: Key
    word: str
    default: OutcomeAndReason | None

    @property
    def quoted(self) -> str:
        """The name; a keyword of Python in backquotes."""
        return f"`{self.word}`" if _is_keyword(self.word.split()[-1]) else self.word


_UNTAKEN: OutcomeAndReason = (_PYTHON, "generated code has no form for it")
_UNREACHED: OutcomeAndReason = (_NOTE, "it is never reached")
_SUSPENDS: OutcomeAndReason = (
    _NOTE,
    "it is Python's own, as a `yield`, an `await` or a jump is in it",
)
_OWN: OutcomeAndReason = (_NOTE, "it is Python's own; what is inside it is converted")
_GROUPS: OutcomeAndReason = (_PYTHON, "its handlers see what is raised while tracing alone")
_AWAITS: OutcomeAndReason = (_PYTHON, "it awaits its items")
_IN_CLASS: OutcomeAndReason = (_PYTHON, "a class body runs in its own namespace")
_DECORATES: OutcomeAndReason = (_NOTE, "a decorator is applied by Python")
_BASES: OutcomeAndReason = (_NOTE, "the bases of a class are found by Python")

_KINDS: dict[type, tuple[str, OutcomeAndReason | None]] = {
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
# The parts that Python evaluates when it defines a function or class, with their defaults.
_DEFINED: dict[str, OutcomeAndReason] = {
    "decorator_list": _DECORATES,
    "bases": _BASES,
    "keywords": _BASES,
}


def key_of(node: Any) -> Key | None:
    """Return the key of a node; None if it is no construct.

    >>> from autograph.syntax.tree import parse
    >>> key_of(parse("if x: y").body[0])[1:]
    (1, 0, 1, 7)
    """
    kind = next((kind for kind in type(node).__mro__ if kind in _KINDS), None)
    if kind is None or getattr(node, "end_lineno", None) is None or not _counts(node):
        return None
    return (kind, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)


def constructs_of(tree: Any, lines: tuple[str, ...]) -> dict[Key, Construct]:
    """Return the constructs of the user's function, by their keys.

    Args:
        tree: its definition, before the conversion.
        lines: the lines of its file.
    """
    body = tree.body if isinstance(tree.body, list) else [tree.body]
    found = (construct for node in body for construct in _walk(node, None, lines))
    return {construct.key: construct for construct in found}


def default_outcome(construct: Construct, is_left: bool) -> OutcomeAndReason | None:
    """Return the outcome of a construct that no converter has reported; None for no row.

    Args:
        construct: the construct.
        is_left: whether it is in the converted function; otherwise it is unreachable code.
    """
    if construct.default is None or is_left:
        return construct.default
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


def _walk(node: Any, place: OutcomeAndReason | None, lines: tuple[str, ...]) -> Iterator[Construct]:
    """Yield the constructs in a node; `place` overrides their defaults, if it is not None."""
    key = key_of(node)
    if key is not None:
        word, default = _KINDS[key[0]]
        yield Construct(key, _word(node, word, lines), default and (place or default))
    for child, inside in _inside(node, place):
        yield from _walk(child, inside, lines)


def _inside(
    node: Any, place: OutcomeAndReason | None
) -> Iterator[tuple[Any, OutcomeAndReason | None]]:
    """Yield the children of a node that are evaluated, each with its place."""
    if isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
        yield from _inside_definition(node, place)
    elif isinstance(node, gast.AnnAssign):
        yield from ((child, place) for child in (node.target, node.value) if child is not None)
    elif type(node).__name__ != "TypeAlias":
        yield from ((child, place) for child in children(node))


def _inside_definition(
    node: Any, place: OutcomeAndReason | None
) -> Iterator[tuple[Any, OutcomeAndReason | None]]:
    for field, default in _DEFINED.items():
        yield from ((child, place or default) for child in getattr(node, field, ()))
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
