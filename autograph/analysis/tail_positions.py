"""Tail positions: statements after which a function has no more effects.

Python closes a generator that a variable holds at the end of the function, and one that only a loop
holds at the end of the loop. After a loop in tail position, the difference cannot be observed:

    for v in numbers:           only `return found` follows the loop, and reading a variable has no
        if v > 3:               effects
            found = v
            break
    return found
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

import gast

from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.grammar import Function
from autograph.syntax.names import bound_names
from autograph.syntax.tree import children, walk

_DOES_NOTHING = (gast.Pass, gast.Break, gast.Continue, gast.Global, gast.Nonlocal)
_IN_ROWS = (gast.Tuple, gast.List)
_OPERATORS = (gast.BinOp, gast.UnaryOp, gast.BoolOp, gast.Compare, gast.IfExp, gast.AugAssign)
_LAZY = (gast.Lambda, gast.GeneratorExp)
_ACTS = (gast.Call, gast.ListComp, gast.SetComp, gast.DictComp, gast.YieldFrom)
_CONTAINED = (gast.In, gast.NotIn)
_IDENTITY = (gast.Is, gast.IsNot)


class TailPositions:
    """The tail positions of a function.

    A line has several kinds of exits: "jump" and "end" of a `for`, "yield" of a loop whose
    generator is closed at a `yield` in it, and "call" of a call that returns.

    Args:
        facts: the facts about the function.

    >>> from autograph.syntax.tree import parse
    >>> text = "def f(a):\\n for b in a:\\n  if b: break\\n return b {}"
    >>> trees = (parse(text.format(each)).body[0] for each in ("", "+ 1", "+ g()"))
    >>> [TailPositions(FunctionFacts(tree)).operands(2, ["jump"]) for tree in trees]
    [frozenset(), frozenset({'b'}), None]
    """

    def __init__(self, facts: FunctionFacts) -> None:
        self._cfg = facts.cfg
        nodes = list(walk(facts.function))
        declared = [n for n in nodes if isinstance(n, (gast.Global, gast.Nonlocal))]
        others = {name for each in declared for name in each.names}
        self._own = frozenset(bound_names(facts.function)) - others
        self._loops = [n for n in nodes if isinstance(n, gast.For) and n in self._cfg.spans]

    def is_left(self, line: int) -> bool:
        """Return whether a jump leaves the loop at a line before its end."""
        return any(self._jumps(loop) for loop in self._loops if _is_in(loop, line))

    def operands(
        self, line: int, exits: Collection[str], held: Collection[str] = ()
    ) -> frozenset[str] | None:
        """Return the variables that are operands of operators after a line is left.

        If they are numbers, the operators have no effects. None if the line is in no tail position.

        Args:
            line: the line.
            exits: the kinds of its exits.
            held: the variables that hold a generator, which is closed at the end of the function.
        """
        pieces = self._cfg.pieces
        at = [n for n, piece in enumerate(pieces) if _is_in(_executed(piece), line)]
        loops = [loop for loop in self._loops if _is_in(loop, line)]
        starts = [
            n for loop in loops for exit_kind in exits for n in self._left_by(loop, exit_kind)
        ]
        delegating = [n for n in at if _has(pieces[n], gast.YieldFrom)]
        if "yield" in exits:
            starts += [n for each in delegating for n in self._cfg.raises[each]]
        acting = delegating if "end" in exits else []
        if "call" in exits:
            acting = [n for n in at if any(map(_acts, walk(pieces[n])))]
        starts += [n for each in acting for n in self._cfg.successors[each]]
        read = [self._operands(pieces[each], acts=True) for each in acting]
        is_found = acting if "call" in exits else loops or delegating
        return _together([*read, *self._after(starts, held)]) if is_found else None

    def _left_by(self, loop: Any, exit_kind: str) -> list[int]:
        """Return the next nodes after one kind of exit from a loop."""
        if exit_kind == "jump":
            return self._jumps(loop)
        span = self._cfg.spans[loop]
        if exit_kind == "end":
            return [n for n in self._cfg.successors[span.head] if n not in span.bodies]
        inside = {id(node) for each in loop.body for node in walk(each)}
        within = [n for n, piece in enumerate(self._cfg.pieces) if id(piece) in inside]
        yields = [n for n in within if _has(self._cfg.pieces[n], gast.Yield, gast.YieldFrom)]
        return [n for each in yields if exit_kind == "yield" for n in self._cfg.raises[each]]

    def _jumps(self, loop: Any) -> list[int]:
        span = self._cfg.spans[loop]
        inside = {id(node) for part in (loop.target, *loop.body) for node in walk(part)}
        waiting, seen, found = [*span.bodies], {span.head}, list[int]()
        while waiting:
            node = waiting.pop()
            if node not in seen:
                seen.add(node)
                piece = self._cfg.pieces[node]
                # A node without a piece is the end of the function, or joins others.
                is_inside = node != 0 and (piece is None or id(piece) in inside)
                (waiting if is_inside else found).extend(
                    self._cfg.successors[node] if is_inside else [node]
                )
        return found

    def _after(
        self, starts: Iterable[int], held: Collection[str]
    ) -> Iterator[frozenset[str] | None]:
        """Yield the operands of each piece that may be executed before the generator is closed."""
        waiting, seen = [*starts], set[int]()
        while waiting:
            node = waiting.pop()
            piece = self._cfg.pieces[node]
            if node in seen or _lets_go(piece, held):
                continue
            seen.add(node)
            if piece is not None:
                yield self._operands(piece, acts=False)
            waiting += self._cfg.successors[node]

    def _operands(self, piece: Any, acts: bool) -> frozenset[str] | None:
        """Return the variables that operators of a piece read; None if it has other effects.

        Args:
            piece: a piece of the function.
            acts: whether one effect, the last one of the piece, is allowed.
        """
        if isinstance(piece, _DOES_NOTHING):
            return frozenset()
        if isinstance(piece, gast.AugAssign) and self._is_own(piece.target):
            return _together([frozenset([piece.target.id]), self._read(piece.value, True)])
        if isinstance(piece, gast.Assign) and not all(map(self._is_own, piece.targets)):
            return None
        if isinstance(piece, (gast.Assign, gast.Return, gast.Expr)):
            return frozenset() if piece.value is None else self._value(piece.value, acts)
        if isinstance(piece, (gast.If, gast.While)):
            return self._value(piece.test, acts, is_operand=True)
        return self._value(piece, acts) if isinstance(piece, gast.expr) else None

    def _is_own(self, target: Any) -> bool:
        return isinstance(target, gast.Name) and target.id in self._own

    def _value(self, value: Any, acts: bool, is_operand: bool = False) -> frozenset[str] | None:
        parts = value.elts if isinstance(value, _IN_ROWS) else [value]
        acting = [each for each in parts if acts and _acts_last(each)]
        others = [each for each in parts if each not in acting]
        is_one = len(acting) == acts and not (acting and is_operand)
        return _together([self._read(e, is_operand) for e in others]) if is_one else None

    def _read(self, node: Any, is_operand: bool) -> frozenset[str] | None:
        """Return the variables among the operands of an expression; None if it has effects."""
        if isinstance(node, gast.Name):
            return frozenset([node.id] if is_operand else []) if self._is_own(node) else None
        if isinstance(node, gast.Constant):
            return frozenset()
        kinds = node.ops if isinstance(node, gast.Compare) else []
        is_search = any(isinstance(each, _CONTAINED) for each in kinds)
        if is_search or not isinstance(node, (*_OPERATORS, *_IN_ROWS)):
            return None
        by_identity = bool(kinds) and all(isinstance(each, _IDENTITY) for each in kinds)
        is_operand = not by_identity and (is_operand or isinstance(node, _OPERATORS))
        parts = [each for each in children(node) if isinstance(each, gast.expr)]
        return _together([self._read(each, is_operand) for each in parts])


def tail_positions(function: Function) -> TailPositions:
    """Return the tail positions of a function.

    >>> from autograph.syntax.tree import parse
    >>> tail_positions(parse("def f(a): return g(a)").body[0]).operands(1, ["call"])
    frozenset()
    """
    return TailPositions(FunctionFacts(function))


def _together(parts: Iterable[frozenset[str] | None]) -> frozenset[str] | None:
    found = set[str]()
    for each in parts:
        if each is None:
            return None
        found |= each
    return frozenset(found)


def _lets_go(piece: Any, held: Collection[str]) -> bool:
    """Return whether a statement closes the generator, or deletes all variables that hold it."""
    if isinstance(piece, gast.Delete):
        return bool(held) and set(held) <= {getattr(each, "id", None) for each in piece.targets}
    called = piece.value if isinstance(piece, gast.Expr) else None
    closes = called.func if isinstance(called, gast.Call) else None
    if not isinstance(closes, gast.Attribute) or closes.attr != "close":
        return False
    return isinstance(closes.value, gast.Name) and closes.value.id in held


def _executed(piece: Any) -> Any:
    """Return the part of a piece that its node evaluates: of a statement, without its blocks."""
    if isinstance(piece, (gast.If, gast.While)):
        return piece.test
    return None if isinstance(piece, (gast.For, gast.Match, gast.ExceptHandler, str)) else piece


def _is_in(node: Any, line: int) -> bool:
    first = getattr(node, "lineno", None)
    last = node.iter.end_lineno if isinstance(node, gast.For) else getattr(node, "end_lineno", 0)
    return first is not None and bool(first <= line <= (last or first))


def _has(piece: Any, *kinds: type) -> bool:
    return isinstance(piece, gast.AST) and any(isinstance(node, kinds) for node in walk(piece))


def _acts_last(node: Any) -> bool:
    """Return whether an expression has one effect, after the evaluation of its operands."""
    waiting = children(node)
    while waiting:
        each = waiting.pop()
        if _acts(each):
            return False
        waiting += [] if isinstance(each, _LAZY) else children(each)
    return _acts(node)


def _acts(node: Any) -> bool:
    searches = isinstance(node, gast.Compare) and isinstance(node.ops[0], _CONTAINED)
    return searches or isinstance(node, _ACTS)
