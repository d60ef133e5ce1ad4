"""Jump threading: a flag that only guards the rest of a body becomes a jump.

    loop: less = less(i, n)                          loop: less = less(i, n)
          not_ = logical_not(break)                        if not less: leave
          and_ = logical_and(not_, less)                   found = equal(i, wanted)
          if not and_: leave                               if found:
          found = equal(i, wanted)            ->               leave
          if found: break_1 = True                         i = add(i, 1)
          else:     break_1 = False
          if break_1: i_1 = i
          else:       i_1 = add(i, 1)
          break, i = break_1, i_1

The statements after a choice whose branches decide a flag are moved into these branches; each copy
omits the tests whose results are known there. The copies are kept if the plan hardly grows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from runtime.core.dtypes import bool_
from runtime.core.spec import TensorSpec
from runtime.executors.plan import (
    Block,
    Choose,
    Leave,
    Loop,
    Move,
    Plan,
    Run,
    Slot,
    Statement,
    Stop,
    Try,
    walk,
    written_by,
)
from runtime.executors.slot_facts import (
    Known,
    TestedPath,
    folded,
    forget,
    held_in,
    kill,
    move,
    resolved,
    resolved_all,
    truth,
    without,
)
from runtime.graph.node import Node
from runtime.passes.prune import may_fail

# The most nodes that a plan may grow by for one choice, and the most nodes before a return.
_GROWTH = 12
_BEFORE_RETURN = 6
# The greatest nesting depth of choices that jump threading may create.
_DEEPEST = 30
_TRUTH = TensorSpec((), bool_)


def recover_exits(plan: Plan) -> Plan:
    """Return an equivalent plan with jumps in place of flags."""
    size = sum(1 for _ in walk(plan.body))
    has_choices = any(isinstance(each, Choose) for each in walk(plan.body))
    if not has_choices:
        return plan
    body = _Threading(30 * size + 500).block(plan.body, {}, None)
    return Plan(plan.name, plan.parameters, body)


@dataclass(eq=False)
class _BackEdge:
    """The end of a loop's body, where the test decides whether there is another iteration."""

    loop: Loop
    assumed: set[Slot]
    unfounded: set[Slot]
    # Flags that were true where the loop was left without a return.
    left_by: set[Slot]


@dataclass(frozen=True, eq=False)
class _Continuation:
    """The statements after a block, up to the end of the plan."""

    statements: Sequence[Statement | _BackEdge]
    up: _Continuation | None


class _TooLong(Exception):
    """Raised when the path to the end is too long to copy."""


class _Threading:
    def __init__(self, budget: int) -> None:
        self._budget = budget
        # The number of choices around the current block that absorbed the statements after them.
        self._depth = 0
        self._returning = False

    def block(
        self, statements: Sequence[Statement | _BackEdge], known: Known, rest: _Continuation | None
    ) -> Block:
        """Return the simplified statements of a block; `known` holds before it, and is updated.

        `rest` has the statements that come after the block.
        """
        made: Block = []
        ahead = list(reversed(statements))
        while ahead:
            statement = ahead.pop()
            self._budget -= 1
            if isinstance(statement, Run):
                self._run(statement, known, made)
            elif isinstance(statement, Move):
                move(statement, known, made)
            elif isinstance(statement, Choose):
                chosen = self._taken(statement, known)
                if chosen is not None:
                    ahead.extend(reversed(chosen))
                elif self._choose(statement, ahead[::-1], known, made, rest):
                    return made
            elif isinstance(statement, Loop):
                self._loop(statement, _Continuation(ahead[::-1], rest), known, made)
                if _has_no_end(made):
                    return made
            elif isinstance(statement, Try):
                made.append(self._try(statement, known))
            elif isinstance(statement, _BackEdge):
                if not self._back(statement, known, made, rest):
                    return made
            elif isinstance(statement, Stop):
                made.append(Stop(resolved_all(statement.reads, known), statement.is_reached))
                return made
            else:
                made.append(statement)
                if isinstance(statement, Leave):
                    return made
        return made

    # -- one statement -------------------------------------------------------------------------

    def _run(self, statement: Run, known: Known, made: Block) -> None:
        reads = resolved_all(statement.reads, known)
        found = folded(statement.node, reads, known)
        if found is not None:
            known[statement.writes[0]] = found
            return
        kill(statement.writes, known)
        made.append(Run(statement.node, reads, statement.writes))

    def _taken(self, statement: Choose, known: Known) -> Block | None:
        """Return the branch that is always taken; None where that is not known."""
        held = truth(statement.test, known)
        if held is None or statement.node.op.name != "cond":
            return None
        return statement.branches[0 if held else 1]

    def _choose(
        self,
        statement: Choose,
        after: Sequence[Statement | _BackEdge],
        known: Known,
        made: Block,
        rest: _Continuation | None,
    ) -> bool:
        """Add a choice; return whether the statements after it were moved into its branches."""
        test = resolved(statement.test, known)
        if self._budget > 0 and self._depth < _DEEPEST and after and _settles(statement):
            before = dict(known)
            self._depth += 1
            try:
                branches = tuple(
                    self.block([*branch, *after], taken, rest)
                    for branch, taken in _ways(statement, test, before)
                )
            finally:
                self._depth -= 1
            if _pays(statement, after, branches):
                made.append(Choose(statement.node, test, branches))
                return True
        beyond = _Continuation(after, rest)
        ways = _ways(statement, test, known)
        parts = [self.block(branch, taken, beyond) for branch, taken in ways]
        for branch in statement.branches:
            forget(branch, known)
        made.append(Choose(statement.node, test, tuple(parts)))
        return False

    def _loop(self, loop: Loop, rest: _Continuation, known: Known, made: Block) -> None:
        if self._returning:
            raise _TooLong
        if self._is_left(loop, dict(known)):
            return
        assumed = {flag for flag in loop.flags if known.get(flag) is False}
        forget(loop.body, known)
        forget(loop.head, known)
        first = self._head(loop, {**known, **dict.fromkeys(assumed, False)})
        if first and isinstance(first[-1], Choose):
            loop = _test_by_test(loop)
        while True:
            at_head: Known = {**known, **dict.fromkeys(assumed, False)}
            head = self._head(loop, at_head)
            test = None if loop.test is None else resolved(loop.test, at_head)
            back = _BackEdge(loop, assumed, set(), set())
            body = self.block([*loop.body, back], dict(at_head), rest)
            if not back.unfounded:
                break
            assumed = assumed - back.unfounded
        known.update((flag, False) for flag in assumed - back.left_by)
        if test is not None and held_in(test) is True:
            test = None
        made.append(Loop(loop.node, loop.variables, loop.flags, head, test, body, loop.limit))

    def _head(self, loop: Loop, known: Known) -> Block:
        """Return a loop's head; its choices absorb no statements, since the test follows."""
        depth, self._depth = self._depth, _DEEPEST
        try:
            return self.block(loop.head, known, None)
        finally:
            self._depth = depth

    def _try(self, tried: Try, known: Known) -> Try:
        """Return a `try` with threaded parts; `known` keeps what holds after every part."""
        if self._returning:
            raise _TooLong
        initial = resolved_all(tried.initial, known)
        kill(written_by(tried), known)
        at_end = dict(known)
        body = self.block(tried.body, at_end, None)
        orelse = self.block(tried.orelse, at_end, None)
        forget([tried], known)
        handlers, ends = [], [at_end]
        for handler in tried.handlers:
            ends.append(dict(known))
            handlers.append(self.block(handler, ends[-1], None))
        known.clear()
        known.update(item for item in at_end.items() if all(item in each.items() for each in ends))
        head = tried.record, initial, tried.noted
        return Try(tried.node, tried.caught, body, orelse, tuple(handlers), *head)

    def _is_left(self, loop: Loop, known: Known) -> bool:
        """Return whether a loop is over, and no node must run to find that out."""
        if loop.test is None:
            return False
        head = self.block(loop.head, known, None)
        return truth(loop.test, known) is False and not any(map(_counts, head))

    def _back(self, back: _BackEdge, known: Known, made: Block, rest: _Continuation | None) -> bool:
        """Add the jump to a loop's head or end; return whether the block continues."""
        if self._is_left(back.loop, dict(known)):
            if self._returning:
                return True
            end = self._to_the_end(known, rest)
            if end is not None:
                made.extend(end)
            else:
                back.left_by.update(flag for flag in back.assumed if known.get(flag) is not False)
                made.append(Leave(back.loop.node))
            return False
        if self._returning:
            raise _TooLong
        back.unfounded.update(flag for flag in back.assumed if known.get(flag) is not False)
        if made and isinstance(made[-1], Move):
            made.append(without(made.pop(), back.assumed))
        return False

    def _to_the_end(self, known: Known, rest: _Continuation | None) -> Block | None:
        """Return the statements up to the end of the plan if there are only a few; else None."""
        if self._returning or rest is None or self._budget <= 0:
            return None
        statements: list[Statement | _BackEdge] = []
        level: _Continuation | None = rest
        while level is not None:
            statements.extend(level.statements)
            level = level.up
        self._returning = True
        try:
            end = self.block(statements, dict(known), None)
        except _TooLong:
            return None
        finally:
            self._returning = False
        ends = bool(end) and isinstance(end[-1], Stop)
        return end if ends and _size(end) <= _BEFORE_RETURN else None


def _ways(choice: Choose, test: Slot, known: Known) -> list[tuple[Block, Known]]:
    """Return each branch with the facts known in it, which include the result of the test."""
    ways = [(branch, dict(known)) for branch in choice.branches]
    if choice.node.op.name == "cond" and not test.is_fixed and test.tensor.spec == _TRUTH:
        for (_, inside), held in zip(ways, (True, False)):
            inside[test] = TestedPath(held)
    return ways


def _test_by_test(loop: Loop) -> Loop:
    """Return a loop that ends at the first false test of `a and b`.

    head: a; if a: test = b                   head: a
          else: test = a              ->      test: a
    test: test                                body: b; if not b: leave; test = b; ...
    body: ...
    """
    choice = loop.head[-1] if loop.head else None
    if loop.limit is not None or loop.test is None or not _is_false_without(choice, loop.test):
        return loop
    body = [*_left_unless(choice.branches[0], loop.test, choice.node, loop.node), *loop.body]
    return Loop(loop.node, loop.variables, loop.flags, loop.head[:-1], choice.test, body)


def _is_false_without(statement: Statement | None, test: Slot) -> TypeGuard[Choose]:
    """Return whether a choice computes the loop's test, which is false if its own test is."""
    if not isinstance(statement, Choose) or statement.node.op.name != "cond":
        return False
    orelse = statement.branches[1]
    results = orelse[0] if len(orelse) == 1 else None
    if not isinstance(results, Move) or results.writes != (test,) or statement.test.is_fixed:
        return False
    (found,) = results.reads
    return found is statement.test or held_in(found) is False


def _left_unless(block: Block, test: Slot, owner: Node, loop: Node) -> Block:
    """Return a block that computes a loop's test, and leaves the loop where the test is false."""
    last = block[-1] if block else None
    if isinstance(last, Move) and last.writes == (test,) and not last.reads[0].is_fixed:
        return [*_left_unless(block[:-1], last.reads[0], owner, loop), last]
    if _is_false_without(last, test):
        before = _left_unless(block[:-1], last.test, owner, loop)
        return [*before, *_left_unless(last.branches[0], test, last.node, loop)]
    return [*block, Choose(owner, test, ([], [Leave(loop)]))]


def _has_no_end(block: Block) -> bool:
    """Return whether a block ends in a loop that only a return or an error ends."""
    loop = block[-1] if block else None
    if not isinstance(loop, Loop) or loop.test is not None or loop.limit is not None:
        return False
    return not any(isinstance(each, Leave) and each.loop is loop.node for each in walk(loop.body))


# -- the benefit of a change -----------------------------------------------------------------------


def _size(block: Sequence[Statement | _BackEdge]) -> int:
    statements: Any = block
    return sum(isinstance(each, (Run, Loop, Choose)) for each in walk(statements))


def _counts(statement: Statement) -> bool:
    """Return whether omitting a statement would be visible, by its effect or by an error."""
    if not isinstance(statement, Run):
        return not isinstance(statement, Move)
    return statement.node.effect != "none" or may_fail(statement.node)


def _pays(choice: Choose, after: Sequence[Statement | _BackEdge], copies: Sequence[Block]) -> bool:
    """Return whether copying the statements after a choice adds little code, and saves some."""
    apart, made = sum(map(_size, choice.branches)), sum(map(_size, copies))
    is_shorter = made < apart + len(copies) * _size(after)
    ends = (Leave, Stop) if any(isinstance(each, _BackEdge) for each in after) else Leave
    jumps = any(isinstance(each, ends) for copy in copies for each in walk(copy))
    return (is_shorter or jumps) and made <= apart + _size(after) + _GROWTH


def _settles(choice: Choose) -> bool:
    """Return whether a branch of a choice assigns a known truth value."""
    return any(_moves_known(branch) for branch in choice.branches)


def _moves_known(branch: Block) -> bool:
    results = branch[-1] if branch else None
    if not isinstance(results, Move):
        return False
    if any(held_in(source) is not None for source in results.reads):
        return True
    inner = [each for each in branch if isinstance(each, Choose)]
    return any(map(_settles, inner))
