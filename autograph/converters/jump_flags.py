"""Jumps become flags: shared parts of the converters of `break`, `continue` and `return`.

    while a:                          while a:
        if b:                             if b:
            if c: break         ->            if c: flag = True
            f()                               else: f()
        g()                               if not flag: g()

A flag is tested only before statements that the jump skips. An exception that cancels a pending
jump (raised by the end of a `with`, or in a `finally`) resets the flag.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from autograph.analysis.grammar import LOOPS, TryAlways, blocks, holders
from autograph.analysis.jumps import JumpFacts
from autograph.converters.base import Conversion
from autograph.converters.node_builders import (
    assign,
    name,
    new,
    nonempty,
    set_flag,
    unless,
    with_until,
)
from autograph.syntax.template import Template

# The types of nodes made here that later converters handle.
FLAG_KINDS = (gast.If, gast.Name, gast.Try, gast.UnaryOp)

_WITHS = (gast.With, gast.AsyncWith)
_ROLLBACK = Template("""
    try:
        $statement
    except:
        $flag = False
        raise
""")

# Takes a jump, and whether it has no statements to skip; returns the statements in its place.
Replacement = Callable[[Any, bool], list[gast.stmt]]


class JumpLowering:
    """The lowering of one kind of jump out of a list of statements.

    Args:
        jump: `gast.Break`, `gast.Continue` or `gast.Return`.
        flag: returns the name of its flag; called only when one is needed.
        replacement: returns the statements for a jump; none if no flag is needed.
        exits: the jumps of the function.
        conversion: the state of the conversion, with the flags of other jumps.
        carried: the variables that belong to the flag, such as that of the returned value.
    """

    def __init__(
        self,
        jump: type,
        flag: Callable[[], str],
        replacement: Replacement,
        exits: JumpFacts,
        conversion: Conversion,
        carried: tuple[str, ...] = (),
    ) -> None:
        self._jump = jump
        self._flag = flag
        self._replacement = replacement
        self._exits = exits
        self._conversion = conversion
        self._carried = carried
        self._replaced = 0

    def block(
        self, statements: list[gast.stmt], last: bool, caught: bool = False
    ) -> list[gast.stmt]:
        """Return statements in which flags are set in place of the jumps of this kind.

        Args:
            statements: the statements, in the form that `early_exits` gives them.
            last: whether the jump skips nothing after these statements.
            caught: whether an exception from here may be caught before it leaves the statement that
                the jump leaves.
        """
        result: list[gast.stmt] = []
        for position, statement in enumerate(statements):
            if type(statement) is self._jump:
                return [*result, *self._replace(statement, last)]
            if not self._exits.leaves([statement], self._jump):
                result.append(statement)
                continue
            rest = statements[position + 1 :]
            result.append(self._statement(statement, last and not rest, caught))
            return [*result, *self._guarded(self.block(rest, last, caught))]
        return result

    def _replace(self, jump: Any, last: bool) -> list[gast.stmt]:
        self._conversion.report_staged(jump)
        replacement = self._replacement(jump, last)
        self._replaced += bool(replacement)
        return replacement

    def _guarded(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        return [unless(self._flag(), statements, statements[0])] if statements else []

    def _statement(self, node: Any, last: bool, caught: bool) -> Any:
        if isinstance(node, LOOPS):
            node = with_until(node, self._flag())
            node.body = nonempty(self.block(node.body, True, caught), node)
            return node
        replaced_before = self._replaced
        self._inside(node, last, caught)
        crossed = isinstance(node, _WITHS) or bool(getattr(node, "finalbody", ()))
        if caught and crossed and self._replaced > replaced_before:
            return self._cancellable(node)
        return node

    def _inside(self, node: Any, last: bool, caught: bool) -> None:
        if isinstance(node, _WITHS):
            self._with(node, last)
        elif isinstance(node, (gast.Try, gast.TryStar)):
            self._try(node, last, caught)
        else:
            for holder in holders(node):
                self._blocks_of(holder, last, caught)

    def _blocks_of(self, holder: Any, last: bool, caught: bool) -> None:
        # A block with only the jump keeps its line, so that debuggers stop there.
        holder.body = nonempty(self.block(holder.body, last, caught), holder.body[0])
        if isinstance(holder, gast.If) and holder.orelse:
            holder.orelse = nonempty(self.block(holder.orelse, last, caught), holder.orelse[0])

    def _with(self, node: Any, last: bool) -> None:
        """Lower the body of a `with`; several managers become nested statements."""
        if len(node.items) == 1:
            node.body = nonempty(self.block(node.body, last, True), node)
            return
        inner = new(type(node), node, items=node.items[1:], body=node.body, type_comment=None)
        node.items = node.items[:1]
        node.body = [self._statement(inner, last, True)]

    def _cancellable(self, node: Any) -> Any:
        """Return a `try` that resets the flag if the end of `node` raises; a handler may follow."""
        (statement,) = _ROLLBACK.statements(origin=node, statement=[node], flag=self._flag())
        return statement

    def _try(self, node: Any, last: bool, caught: bool) -> None:
        always = isinstance(node, TryAlways)
        jumps = self._exits.leaves(node.body, self._jump)
        skips = jumps and bool(node.orelse) and not always
        body_caught = caught or bool(node.handlers)
        node.body = nonempty(self.block(node.body, last and not skips, body_caught), node)
        for handler in node.handlers:
            self._blocks_of(handler, last, caught)
        if always and jumps:
            node.orelse = self._overriding_block(node.orelse, caught)
            return
        # A jump that overrides others needs its flag, even if it skips nothing.
        orelse = self.block(node.orelse, last and not always, caught)
        node.orelse = self._guarded(orelse) if skips else orelse

    def _overriding_block(self, statements: list[gast.stmt], caught: bool) -> list[gast.stmt]:
        """Lower statements that run while a jump is pending, and may override it by another jump.

        The pending jump continues after the statements if they end without a jump.
        """
        flag, origin = self._flag(), statements[0]
        kept = {n: self._conversion.namer.fresh("pending_") for n in (flag, *self._carried)}
        others = dict.fromkeys(self._flags_set(statements))
        save = [assign(kept[n], name(n, origin), origin) for n in kept]
        clear = set_flag(flag, False, origin)
        lowered = self.block(statements, False, caught)
        resume: list[gast.stmt] = [assign(n, name(kept[n], origin), origin) for n in kept]
        for other in (flag, *others):
            resume = [unless(other, resume, origin)]
        return [*save, clear, *lowered, *resume]

    def _flags_set(self, statements: list[gast.stmt]) -> Iterator[str]:
        """Yield the flags that the statements set: those of jumps that were lowered before."""
        for statement in statements:
            if isinstance(statement, gast.Assign) and _is_true(statement.value):
                target = statement.targets[0]
                if isinstance(target, gast.Name) and target.id in self._conversion.exits:
                    yield target.id
            elif not isinstance(statement, LOOPS):
                for block in blocks(statement):
                    yield from self._flags_set(block)


def _is_true(node: Any) -> bool:
    return isinstance(node, gast.Constant) and node.value is True
