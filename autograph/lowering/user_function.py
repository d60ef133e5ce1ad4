"""Facts about the user's own function: its names, deletions and jumps."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from autograph.options import TEXT_METHODS
from autograph.syntax.tree import CHILD_FIELDS, children, nodes, statements_in
from runtime.core.fork_safety import cached_property

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = (*FUNCTIONS, ast.ClassDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_TEXTS = ("id", "name", "arg", "asname", "rest", "names")

LineAndColumn = tuple[int, int]


def identifiers(tree: ast.AST) -> frozenset[str]:
    """Return every name in a tree: of variables, attributes, arguments, imports and the like.

    >>> sorted(identifiers(ast.parse("def f(x): import a.b as c")))
    ['a.b', 'c', 'f', 'x']
    """
    return identifiers_of(nodes(tree))


def identifiers_of(found: Iterable[ast.AST]) -> frozenset[str]:
    """Return every name in some nodes, without those in their children."""
    names: set[str] = set()
    for node in found:
        kind = type(node)
        if kind is ast.Name:
            names.add(node.id)  # type: ignore[attr-defined]
            continue
        for field in _NAMING[kind]:
            value = node.__dict__.get(field)
            if type(value) is str:
                names.add(value)
            elif value.__class__ is list:
                names.update([each for each in value if type(each) is str])
    return frozenset(names)


class _NamingFields(dict[type, tuple[str, ...]]):
    """For a node class the fields that may hold names."""

    def __missing__(self, kind: Any) -> tuple[str, ...]:
        row = self[kind] = tuple([field for field in kind._fields if field in _TEXTS])
        return row


_NAMING = _NamingFields()


def bound_by_statements(function: Any) -> frozenset[str]:
    """Return the variables that the statements of a function bind in its own scope.

    >>> tree = ast.parse("def f(x):\\n y = [z for z in x]\\n def g(): u = 1").body[0]
    >>> sorted(bound_by_statements(tree))
    ['g', 'y']
    """
    found: set[str] = set()
    declared: set[str] = set()
    for node in _own_nodes(function):
        kind = type(node)
        if kind is ast.Name:
            if type(node.ctx) is not ast.Load:
                found.add(node.id)
        elif kind is ast.Global or kind is ast.Nonlocal:
            declared.update(node.names)
        elif kind is ast.alias:
            found.add((node.asname or node.name).partition(".")[0])
        elif _NAMING[kind]:
            fields = [field for field in _NAMING[kind] if field in ("name", "rest")]
            texts = [getattr(node, field, None) for field in fields]
            found.update([text for text in texts if isinstance(text, str)])
    return frozenset(found - declared)


def _own_nodes(function: Any) -> list[Any]:
    """Return the nodes of a function's body, except those inside nested scopes."""
    found: list[Any] = list(function.body) if isinstance(function.body, list) else []
    for node in found:
        kind = type(node)
        if kind in _COMPREHENSIONS:
            found += [n.target for n in nodes(node) if isinstance(n, ast.NamedExpr)]
        elif CHILD_FIELDS[kind] and kind not in SCOPES:
            found += children(node)
    return found


# -- user function ---------------------------------------------------------------------------------


# A function with one of these names may start to record in the middle of a call.
RECORDING_NAMES = frozenset({"recording", "as_default"})
_DECLARATIONS = (ast.Global, ast.Nonlocal)
_OPERATIONS = (ast.BinOp, ast.AugAssign)


class UserFunction:
    """The user's function; its tree is not changed.

    Args:
        function: its definition, or any other tree.

    Attributes:
        function: the definition or tree of `Args`.
        deleted: the variables that are deleted somewhere, or declared global or nonlocal.
        deletions: the positions of the deletions.
        may_start_recording: whether it may start recording by itself.
        formats_strings: whether it has f-strings, `%`, or a method such as `__str__`.

    >>> tree = ast.parse("global u\\ndel x, (y, z[0])\\nwith g.as_default(): pass")
    >>> original = UserFunction(tree)
    >>> sorted(original.deleted), sorted(original.deletions), original.may_start_recording
    (['u', 'x', 'y'], [(2, 4), (2, 8)], True)
    """

    def __init__(self, function: Any) -> None:
        self.function = function
        self._nodes = nodes(function)
        self.deleted: set[str] = set()
        self.deletions: set[LineAndColumn] = set()
        self.may_start_recording = self.formats_strings = False
        for node in self._nodes:
            kind = type(node)
            if kind is ast.Name:
                self._record_name(node)
            elif kind is ast.Attribute:
                self.may_start_recording |= node.attr in RECORDING_NAMES
            elif kind in _DECLARATIONS:
                self.deleted.update(node.names)
            elif kind is ast.JoinedStr:
                self.formats_strings = True
            elif kind in FUNCTIONS:
                self.formats_strings |= node.name in TEXT_METHODS
            elif kind in _OPERATIONS:
                self.formats_strings |= type(node.op) is ast.Mod

    def _record_name(self, node: ast.Name) -> None:
        if node.id in RECORDING_NAMES:
            self.may_start_recording = True
        if isinstance(node.ctx, ast.Del):
            self.deleted.add(node.id)
            self.deletions.add((node.lineno, node.col_offset))

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name in it, in any role."""
        return identifiers_of(self._nodes)

    @cached_property
    def bound(self) -> frozenset[str]:
        """The variables that its statements bind in its own scope."""
        return bound_by_statements(self.function)

    @cached_property
    def functions(self) -> dict[LineAndColumn, Any]:
        """The function definitions in it, and itself, by their positions."""
        return self._by_place(FUNCTIONS)

    @cached_property
    def matches(self) -> dict[LineAndColumn, Any]:
        """The `match` statements in it by their positions."""
        return self._by_place((ast.Match,))

    @cached_property
    def jumps_in_finally(self) -> bool:
        """True if a `finally` in it holds a `return`, `break` or `continue`."""
        tries = (node for node in self._statements if getattr(node, "finalbody", None))
        return any(_jumps(each) for node in tries for each in node.finalbody)

    @cached_property
    def _statements(self) -> list[Any]:
        return statements_in(self.function)

    def _by_place(self, kinds: tuple[type, ...]) -> dict[LineAndColumn, Any]:
        found: list[Any] = [node for node in self._statements if isinstance(node, kinds)]
        return {(node.lineno, node.col_offset): node for node in found}


def _jumps(statement: ast.AST) -> bool:
    if isinstance(statement, (ast.Return, ast.Break, ast.Continue)):
        return True
    return any(_jumps(each) for each in children(statement) if not isinstance(each, SCOPES))
