"""Control flow graphs: the order in which the nodes of a function can be executed.

A node executes a piece, a key of `Activity.pieces`: a simple statement, the test of an `if`, the
iterable or the target of a `for`, ... The graph is built from the end of the function to its start,
so that the successors of a node exist when it is created; only the node at the head of a loop gets
its successors after its body is built.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

import gast

from autograph.analysis.grammar import (
    ForUntil,
    Function,
    TryAlways,
    WhileUntil,
    is_function_scope,
)


class StatementPosition(NamedTuple):
    """The position of a statement in the graph.

    Attributes:
        entry: its first node.
        head: the node of the test, or of the step of a `for`; the entry for other statements.
        bodies: the first nodes of the parts that become functions when it is staged: the blocks of
            an `if` or `with`, the body of a `while`, the target of a `for`, the blocks of a `try`
            and the node after it, the bodies and the case nodes of a `match`.
        nodes: its nodes, with those of the statements in it.
    """

    entry: int
    head: int
    bodies: tuple[int, ...] = ()
    nodes: range = range(0)


@dataclass(eq=False, repr=False)
class Cfg:
    """The control flow graph of one function; nodes are numbers, built back to front.

    Attributes:
        pieces: the piece of each node; None for a node that only joins paths.
        successors: for each node, the nodes that may come next.
        raises: for each node, the nodes of this function to which an exception may lead.
        spans: the position of each statement.
        entry: the first node; node 0 is the end of the function.
    """

    pieces: list[Any] = field(default_factory=list)
    successors: list[list[int]] = field(default_factory=list)
    raises: list[tuple[int, ...]] = field(default_factory=list)
    spans: dict[gast.stmt, StatementPosition] = field(default_factory=dict)
    entry: int = 0

    def add(self, piece: Any, successors: list[int], raises: tuple[int, ...]) -> int:
        """Add a node and return its number."""
        self.pieces.append(piece)
        self.successors.append(successors)
        self.raises.append(raises)
        return len(self.pieces) - 1

    def exits(self, statement: gast.stmt) -> set[int]:
        """Return the nodes that may come after a statement: by its end, a jump or an exception."""
        inside = self.spans[statement].nodes
        following = {n for node in inside for n in (*self.successors[node], *self.raises[node])}
        return following.difference(inside)


# The way of a jump: the first and the last node of each `finally` that it runs, and its target.
_Way = tuple[tuple[int, int], ...]


class _Targets(NamedTuple):
    """The targets of jumps and exceptions in the statements that are being built."""

    leave: _Way
    breaks: _Way = ()
    continues: _Way = ()
    raises: tuple[int, ...] = ()


def cfg_of(function: Function) -> Cfg:
    """Return the control flow graph of a function.

    >>> from autograph.syntax.tree import parse
    >>> cfg = cfg_of(parse("def f(a):\\n  while a: a = a - 1\\n  return a").body[0])
    >>> [type(piece).__name__ for piece in cfg.pieces], cfg.entry
    (['NoneType', 'Return', 'While', 'Assign'], 2)
    """
    builder = _CfgBuilder()
    if isinstance(function, gast.Lambda):
        builder.cfg.entry = builder.node(function.body, [builder.end])
    else:
        builder.cfg.entry = builder.block(function.body, builder.end)
    return builder.cfg


class _CfgBuilder:
    """Builds the graph from back to front; `_targets` changes as it enters statements."""

    def __init__(self) -> None:
        self.cfg = Cfg()
        self.end = self.cfg.add(None, [], ())
        self._targets = _Targets(leave=_straight(self.end))

    def node(self, piece: Any, successors: list[int]) -> int:
        return self.cfg.add(piece, successors, self._targets.raises)

    def block(self, statements: list[gast.stmt], after: int) -> int:
        for statement in reversed(statements):
            after = self.statement(statement, after)
        return after

    def statement(self, node: Any, after: int) -> int:
        build = _BUILDS.get(type(node), _CfgBuilder._simple)
        first = len(self.cfg.pieces)
        span = build(self, node, after)
        self.cfg.spans[node] = span._replace(nodes=range(first, len(self.cfg.pieces)))
        return span.entry

    @contextmanager
    def _inside(self, **changes: Any) -> Iterator[None]:
        before = self._targets
        self._targets = before._replace(**changes)
        try:
            yield
        finally:
            self._targets = before

    def _simple(self, node: Any, after: int) -> StatementPosition:
        entry = self.node(node, [after])
        return StatementPosition(entry, entry)

    def _jump(self, node: Any, after: int) -> StatementPosition:
        targets = self._targets
        way: _Way = {
            gast.Return: targets.leave,
            gast.Break: targets.breaks,
            gast.Continue: targets.continues,
            gast.Raise: (),
        }[type(node)]
        for (_, last), (first, _) in pairwise(way):
            if first not in self.cfg.successors[last]:
                self.cfg.successors[last].append(first)
        entry = self.node(node, [first for first, _ in way[:1]])
        return StatementPosition(entry, entry)

    def _if(self, node: Any, after: int) -> StatementPosition:
        body = self.block(node.body, after)
        orelse = self.block(node.orelse, after)
        test = self.node(node, [body, orelse])
        return StatementPosition(test, test, (body, orelse))

    def _while(self, node: Any, after: int) -> StatementPosition:
        orelse = self.block(node.orelse, after)
        test = self.node(node, [])
        with self._inside(breaks=_straight(after), continues=_straight(test)):
            body = self.block(node.body, test)
        self.cfg.successors[test] += [body, orelse]
        return StatementPosition(test, test, (body,))

    def _for(self, node: Any, after: int) -> StatementPosition:
        orelse = self.block(node.orelse, after)
        head = self.node(node, [])
        with self._inside(breaks=_straight(after), continues=_straight(head)):
            body = self.block(node.body, head)
        target = self.node(node.target, [body])
        self.cfg.successors[head] += [target, orelse]
        iterable = self.node(node.iter, [head])
        return StatementPosition(iterable, head, (target,))

    def _with(self, node: Any, after: int) -> StatementPosition:
        """Build a `with`; a context manager may swallow an exception of its body."""
        swallowed = () if is_function_scope(node) else (after,)
        with self._inside(raises=self._targets.raises + swallowed):
            entry = body = self.block(node.body, after)
            for item in reversed(node.items[1:]):
                entry = self.node(item, [entry])
        entry = self.node(node.items[0], [entry])
        return StatementPosition(entry, entry, (body,))

    def _try(self, node: Any, after: int) -> StatementPosition:
        if not node.finalbody:
            return self._guarded(node, after)
        leave, breaks, continues, raises = self._targets
        finish = self.node(None, [*raises])
        final = self.block(node.finalbody, finish)
        stop = final, finish
        completed = self.node(None, [final])
        with self._inside(
            leave=(stop, *leave),
            breaks=(stop, *breaks),
            continues=(stop, *continues),
            raises=(final,),
        ):
            span = self._guarded(node, completed)
        successors, raises_of = self.cfg.successors, self.cfg.raises
        guarded = range(completed + 1, len(successors))
        if any(completed in (*successors[each], *raises_of[each]) for each in guarded):
            successors[finish].insert(0, after)
        return span

    def _guarded(self, node: Any, after: int) -> StatementPosition:
        handlers: tuple[int, ...] = ()
        for handler in reversed(node.handlers):
            handlers = (self._handler(handler, after, handlers[:1]), *handlers)
        orelse = self.block(node.orelse, after)
        with self._inside(raises=handlers + self._targets.raises):
            entry = self.block(node.body, orelse)
        return StatementPosition(entry, entry, (entry, *handlers, orelse, after))

    def _handler(self, handler: Any, after: int, following: tuple[int, ...]) -> int:
        """Build an `except` clause; one that does not match leaves the exception to the next."""
        if handler.name is not None:
            after = self.node(handler.name, [after])
        body = self.block(handler.body, after)
        return self.node(handler, [body, *following])

    def _match(self, node: Any, after: int) -> StatementPosition:
        following = after
        moving: list[int] = []
        for case in reversed(node.cases):
            body = self.block(case.body, after)
            following = self.node(case, [body, following])
            # The captures are bound before the body begins.
            moving += [body, following]
        subject = self.node(node, [following])
        return StatementPosition(subject, subject, tuple(moving))


def _straight(target: int) -> _Way:
    return ((target, target),)


_BUILDS: dict[type, Callable[[_CfgBuilder, Any, int], StatementPosition]] = {
    gast.Return: _CfgBuilder._jump,
    gast.Break: _CfgBuilder._jump,
    gast.Continue: _CfgBuilder._jump,
    gast.Raise: _CfgBuilder._jump,
    gast.If: _CfgBuilder._if,
    gast.While: _CfgBuilder._while,
    WhileUntil: _CfgBuilder._while,
    gast.For: _CfgBuilder._for,
    gast.AsyncFor: _CfgBuilder._for,
    ForUntil: _CfgBuilder._for,
    gast.With: _CfgBuilder._with,
    gast.AsyncWith: _CfgBuilder._with,
    gast.Try: _CfgBuilder._try,
    TryAlways: _CfgBuilder._try,
    gast.TryStar: _CfgBuilder._try,
    gast.Match: _CfgBuilder._match,
}
