"""Activity analysis: the names that each piece of a function reads and binds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import gast

from autograph.analysis.grammar import (
    COMPREHENSIONS,
    ForUntil,
    Function,
    NamedInThunk,
    TryAlways,
    WhileUntil,
    blocks,
    is_operator,
)
from autograph.analysis.scopes import header, uses_of
from autograph.syntax import qualname
from autograph.syntax.names import bound_names, declared_names, parameter_nodes
from autograph.syntax.qualname import QN
from autograph.syntax.tree import children, walk
from runtime.core.fork_safety import cached_property


def without_reads(node: Any) -> Any:
    """Return an expression without the operator `ld`: `x.y[0]` for `ag__.ld(x).y[0]`.

    >>> import ast
    >>> tree = gast.ast_to_gast(ast.parse("ag__.ld(x).y", mode="eval")).body
    >>> without_reads(tree).value.id
    'x'
    """
    if isinstance(node, gast.Call) and is_operator(node.func, "ld"):
        return node.args[0]
    if isinstance(node, gast.Attribute):
        return gast.Attribute(without_reads(node.value), node.attr, node.ctx)
    if isinstance(node, gast.Subscript):
        return gast.Subscript(without_reads(node.value), node.slice, node.ctx)
    return node


def moves_items(place: Any) -> bool:
    """Return whether a place is the target of a `del x[i]` that may move the items of a list."""
    if not (isinstance(place, gast.Subscript) and isinstance(place.ctx, gast.Del)):
        return False
    return not (isinstance(place.slice, gast.Constant) and isinstance(place.slice.value, str))


# -- activity --------------------------------------------------------------------------------------


# A generator expression as an argument of one of these is consumed before a name can be rebound.
_CONSUMERS = frozenset(
    ("all", "any", "dict", "frozenset", "list", "max", "min", "set", "sorted", "sum", "tuple")
)
_TAKES_THUNKS = frozenset(("and_", "or_", "if_exp", "compare", "assert_stmt", "ldu"))
_FRAME_READERS = frozenset(("locals", "vars", "dir", "eval", "exec"))
_MUTATORS = ("list_append", "list_extend", "list_pop")


class Access(NamedTuple):
    """The names that a piece of code, or a whole statement with its blocks, reads and binds.

    Attributes:
        reads: the simple names that it reads.
        binds: the simple names that it binds or deletes, in order and without repetition.
        composites: the qualified names, such as `o.x` and `d['k']`, that it assigns or deletes, and
            those of containers that it deletes an item of.
    """

    reads: frozenset[str] = frozenset()
    binds: tuple[str, ...] = ()
    composites: tuple[QN, ...] = ()

    @staticmethod
    def together(accesses: Iterable[Access]) -> Access:
        """Return the union of several accesses, in their order."""
        reads: set[str] = set()
        binds: dict[str, None] = {}
        composites: dict[QN, None] = {}
        for access in accesses:
            reads |= access.reads
            binds.update(dict.fromkeys(access.binds))
            composites.update(dict.fromkeys(access.composites))
        return Access(frozenset(reads), tuple(binds), tuple(composites))


class Activity(NamedTuple):
    """The activity of one function, without nested functions.

    Attributes:
        pieces: the access of each piece that is a node of the CFG: a simple statement, the test of
            an `if` or `while` and the subject of a `match` (by the statement), the iterable and the
            target of a `for` and its flags (by the statement), a `with` item and its target, an
            `except` clause, the name that it unbinds at its end, a case.
        statements: the access of each statement with its blocks.
        parameters: the parameters, in source order.
        order: the position of each name that the function binds or declares, by first binding.
        captured: the names that nested functions, lambdas, classes and generator expressions use;
            all names of the function if it reads its own frame, as `locals()` does.
        globals, nonlocals: the names with such a declaration.
        perhaps: the names that a walrus binds in an operand or branch that Python may skip.
    """

    pieces: Mapping[Any, Access]
    statements: Mapping[gast.stmt, Access]
    parameters: tuple[str, ...]
    order: Mapping[str, int]
    captured: frozenset[str]
    globals: frozenset[str]
    nonlocals: frozenset[str]
    perhaps: frozenset[str] = frozenset()

    def of(self, statements: Iterable[gast.stmt]) -> Access:
        """Return the access of several statements together."""
        return Access.together(self.statements[statement] for statement in statements)

    def ordered(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return names in the order in which the function first binds them."""
        last = len(self.order)
        return tuple(sorted(names, key=lambda name: (self.order.get(name, last), name)))


def activity_of(function: Function) -> Activity:
    """Return the activity of a function.

    >>> from autograph.syntax.tree import parse
    >>> activity = activity_of(parse("def f(x):\\n  y = x\\n  return lambda: y").body[0])
    >>> dict(activity.order), sorted(activity.captured)
    ({'x': 0, 'y': 1}, ['y'])
    """
    survey = _Survey(function)
    for parameter in parameter_nodes(function.args):
        survey.order.setdefault(parameter.id, len(survey.order))
    parameters = tuple(survey.order)
    if isinstance(function, gast.Lambda):
        survey.piece(function.body, function.body)
    else:
        survey.block(function.body)
    if survey.reads_frame():
        survey.captured.update(survey.order)
    sets = (survey.captured, survey.globals, survey.nonlocals, survey.perhaps)
    return Activity(
        survey.pieces, survey.statements, parameters, survey.order, *map(frozenset, sets)
    )


@dataclass(eq=False, repr=False)
class _Survey:
    """Visits a function and fills the tables of its activity."""

    function: Function
    pieces: dict[Any, Access] = field(default_factory=dict)
    statements: dict[gast.stmt, Access] = field(default_factory=dict)
    order: dict[str, int] = field(default_factory=dict)
    captured: set[str] = field(default_factory=set)
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)
    perhaps: set[str] = field(default_factory=set)

    @cached_property
    def own(self) -> frozenset[str]:
        """The names that the function binds or declares."""
        return frozenset((*bound_names(self.function), *declared_names(self.function)))

    def reads_frame(self) -> bool:
        """Return whether the function calls a builtin that reads its frame, such as `locals`."""
        readers = _FRAME_READERS.difference(self.order)
        return any(not readers.isdisjoint(access.reads) for access in self.pieces.values())

    def block(self, statements: list[gast.stmt]) -> list[Access]:
        return [self.statement(statement) for statement in statements]

    def statement(self, node: Any) -> Access:
        visit = _COMPOUND.get(type(node))
        access = visit(self, node) if visit else self.piece(node, node)
        self.statements[node] = access
        return access

    def piece(self, key: Any, *nodes: Any) -> Access:
        """Record the access of the piece with a key, which evaluates some nodes; return it."""
        walk = _Expressions(self)
        for node in nodes:
            walk.visit(node)
        return self.note(key, walk.reads, walk.binds, walk.composites)

    def note(
        self, key: Any, reads: Iterable[str], binds: Iterable[str], composites: Iterable[QN] = ()
    ) -> Access:
        access = Access(frozenset(reads), tuple(binds), tuple(composites))
        self.pieces[key] = access
        for name in access.binds:
            self.order.setdefault(name, len(self.order))
        return access

    def _whole(self, own: list[Access], node: Any) -> Access:
        inside = [access for block in blocks(node) for access in self.block(block)]
        return Access.together([*own, *inside])

    def visit_if(self, node: Any) -> Access:
        return self._whole([self.piece(node, node.test)], node)

    def visit_while(self, node: Any) -> Access:
        return self._whole([self.piece(node, *getattr(node, "until", ()), node.test)], node)

    def visit_for(self, node: Any) -> Access:
        own = [
            self.piece(node.iter, node.iter, *getattr(node, "options", ())),
            self.piece(node, *getattr(node, "until", ())),
            self.piece(node.target, node.target),
        ]
        return self._whole(own, node)

    def visit_with(self, node: Any) -> Access:
        for item in node.items:
            if item.optional_vars is not None:
                self.piece(item.optional_vars, item.optional_vars)
        return self._whole([self.piece(item, *children(item)) for item in node.items], node)

    def visit_try(self, node: Any) -> Access:
        accesses = self.block(node.body)
        for handler in node.handlers:
            accesses.append(self.piece(handler, *filter(None, (handler.type, handler.name))))
            if handler.name is not None:
                self.note(handler.name, (), (handler.name.id,))
            accesses += self.block(handler.body)
        accesses += self.block(node.orelse) + self.block(node.finalbody)
        return Access.together(accesses)

    def visit_match(self, node: Any) -> Access:
        accesses = [self.piece(node, node.subject)]
        for case in node.cases:
            accesses.append(self.piece(case, *filter(None, (case.pattern, case.guard))))
            accesses += self.block(case.body)
        return Access.together(accesses)


class _Expressions:
    """The walk over the nodes of one piece, in the order of evaluation."""

    def __init__(self, survey: _Survey) -> None:
        self._survey = survey
        self.reads: set[str] = set()
        self.binds: dict[str, None] = {}
        self.composites: dict[QN, None] = {}

    def visit(self, node: Any) -> None:
        visit = _VISITS.get(type(node))
        if visit is not None:
            visit(self, node)
        else:
            for child in children(node):
                self.visit(child)

    def _name(self, node: Any) -> None:
        if isinstance(node.ctx, gast.Load):
            self.reads.add(node.id)
        else:
            self.binds[node.id] = None

    def _nothing(self, node: Any) -> None:
        """Constants and the like do nothing to names."""

    def _place(self, node: Any) -> None:
        if moves_items(node):
            self._place_or_list(without_reads(node.value))
        elif not isinstance(node.ctx, gast.Load):
            self._note(node)
        for child in children(node):
            self.visit(child)

    def _place_or_list(self, owner: Any) -> None:
        """Record the container that loses an item as changed; a variable counts as bound."""
        if isinstance(owner, gast.Name):
            self._mutated(owner)
        elif isinstance(owner, (gast.Attribute, gast.Subscript)):
            self._note(owner)

    def _note(self, place: Any) -> None:
        name = qualname.of(without_reads(place))
        if name is not None:
            self.composites[name] = None

    def _value_then_target(self, node: Any) -> None:
        self.visit(node.value)
        for target in getattr(node, "targets", None) or [node.target]:
            self.visit(target)

    def _named_in_thunk(self, node: Any) -> None:
        self._survey.perhaps.add(node.target.id)
        self._value_then_target(node)

    def _augmented(self, node: Any) -> None:
        if isinstance(node.target, gast.Name):
            self.reads.add(node.target.id)
        self.visit(node.value)
        self.visit(node.target)

    def _annotated(self, node: Any) -> None:
        if node.value is not None:
            self._value_then_target(node)
        elif isinstance(node.target, gast.Name):
            self._survey.order.setdefault(node.target.id, len(self._survey.order))

    def _call(self, node: Any) -> None:
        """Visit a call; thunks passed to an operator are evaluated in place."""
        if is_operator(node.func, "converted_call"):
            self._converted_call(*node.args)
            return
        if is_operator(node.func):
            if node.func.attr in _MUTATORS:
                self._mutated(node.args[0])
            for argument in node.args:
                is_thunk = isinstance(argument, gast.Lambda) and node.func.attr in _TAKES_THUNKS
                self.visit(argument.body if is_thunk else argument)
            return
        self._arguments(node.func, [*node.args, *node.keywords])

    def _converted_call(self, function: Any, arguments: Any, keywords: Any, scope: Any) -> None:
        self._arguments(function, arguments.elts)
        self.visit(keywords)
        self.visit(scope)

    def _arguments(self, function: Any, arguments: list[Any]) -> None:
        self.visit(function)
        name = without_reads(function)
        consumes = isinstance(name, gast.Name) and name.id in _CONSUMERS
        for argument in arguments:
            if consumes and isinstance(argument, gast.GeneratorExp):
                self._immediate(argument)
            else:
                self.visit(argument)

    def _mutated(self, target: Any) -> None:
        """Record a changed list as bound: staging makes a new list of it."""
        name = without_reads(target)
        if isinstance(name, gast.Name) and name.id in self._survey.order:
            self.binds[name.id] = None

    def _immediate(self, node: Any) -> None:
        uses = uses_of(node)
        self.reads |= uses.names
        if uses.writes:
            # A nested function may write variables of an outer function, which are not bound here.
            self.binds.update(dict.fromkeys(sorted(uses.writes & self._survey.own)))
        for part in header(node):
            self.visit(part)
        self._captures_inside(node)

    def _captures_inside(self, node: Any) -> None:
        for child in children(node):
            if isinstance(child, (gast.Lambda, gast.GeneratorExp)):
                self._survey.captured |= uses_of(child).names
            else:
                self._captures_inside(child)

    def _delayed(self, node: Any) -> None:
        self._survey.captured |= uses_of(node).names
        self._immediate(node)

    def _definition(self, node: Any) -> None:
        self._delayed(node)
        self.binds[node.name] = None

    def _import(self, node: Any) -> None:
        for alias in node.names:
            self.binds[alias.asname or alias.name.partition(".")[0]] = None

    def _declaration(self, node: Any) -> None:
        is_global = isinstance(node, gast.Global)
        (self._survey.globals if is_global else self._survey.nonlocals).update(node.names)
        for name in node.names:
            self._survey.order.setdefault(name, len(self._survey.order))

    def _pattern(self, node: Any) -> None:
        for child in children(node):
            self.visit(child)
        name = node.rest if isinstance(node, gast.MatchMapping) else node.name
        if name:
            self.binds[name] = None

    def _type_alias(self, node: Any) -> None:
        self._survey.captured |= {n.id for n in walk(node.value) if isinstance(n, gast.Name)}
        self.binds[node.name.id] = None


def _table(entries: dict[Any, tuple[type, ...]]) -> dict[type, Callable[..., Any]]:
    return {kind: visit for visit, kinds in entries.items() for kind in kinds}


_VISITS = _table(
    {
        _Expressions._name: (gast.Name,),
        _Expressions._nothing: (gast.Constant, gast.Pass, gast.Break, gast.Continue),
        _Expressions._place: (gast.Attribute, gast.Subscript),
        _Expressions._value_then_target: (gast.Assign, gast.NamedExpr),
        _Expressions._named_in_thunk: (NamedInThunk,),
        _Expressions._augmented: (gast.AugAssign,),
        _Expressions._annotated: (gast.AnnAssign,),
        _Expressions._call: (gast.Call,),
        _Expressions._delayed: (gast.Lambda, gast.GeneratorExp),
        _Expressions._immediate: tuple(c for c in COMPREHENSIONS if c is not gast.GeneratorExp),
        _Expressions._definition: (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef),
        _Expressions._import: (gast.Import, gast.ImportFrom),
        _Expressions._declaration: (gast.Global, gast.Nonlocal),
        _Expressions._pattern: (gast.MatchAs, gast.MatchStar, gast.MatchMapping),
        _Expressions._type_alias: (gast.TypeAlias,),
    }
)

_COMPOUND = _table(
    {
        _Survey.visit_if: (gast.If,),
        _Survey.visit_while: (gast.While, WhileUntil),
        _Survey.visit_for: (gast.For, gast.AsyncFor, ForUntil),
        _Survey.visit_with: (gast.With, gast.AsyncWith),
        _Survey.visit_try: (gast.Try, gast.TryStar, TryAlways),
        _Survey.visit_match: (gast.Match,),
    }
)
