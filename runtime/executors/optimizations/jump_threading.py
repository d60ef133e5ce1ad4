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

The statements after a switch whose branches decide a flag are moved into these branches; each copy
omits the tests whose results are known there. The copies are kept if the plan hardly grows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeGuard

from runtime.core.dtypes import bool_
from runtime.core.spec import TensorSpec
from runtime.executors.analysis.slot_facts import (
    Facts,
    TestResult,
    constant_truth,
    fold_truth,
    forget,
    kill,
    move,
    resolved,
    resolved_all,
    truth,
    without,
)
from runtime.executors.plan.plan import (
    Block,
    Break,
    Loop,
    Move,
    NodeRun,
    Plan,
    PlanSlot,
    Return,
    Statement,
    Switch,
    Try,
    read_by,
    walk,
    written_by,
)
from runtime.graph.node import Node
from runtime.passes.prune import may_fail

# The most nodes that a plan may grow by for one switch, and the most nodes before a return.
_GROWTH = 12
_BEFORE_RETURN = 6
# The greatest nesting depth of switches that jump threading may create.
_MAX_DEPTH = 30
_SCALAR_BOOL = TensorSpec((), bool_)


def thread_jumps(plan: Plan) -> Plan:
    """Return an equivalent plan with jumps in place of flags."""
    size = sum(1 for _ in walk(plan.body))
    has_switches = any(isinstance(each, Switch) for each in walk(plan.body))
    if not has_switches:
        return plan
    body = _JumpThreading(30 * size + 500).block(plan.body, {}, None)
    return Plan(plan.name, plan.parameters, body)


@dataclass(eq=False, repr=False)
class _BackEdge:
    """The end of a loop's body, where the test decides whether there is another iteration."""

    loop: Loop
    assumed: set[PlanSlot]
    refuted: set[PlanSlot]
    # Flags that were true where the loop was left without a return.
    left_by: set[PlanSlot]


class _Continuation(NamedTuple):
    """The statements after a block, up to the end of the plan."""

    statements: Sequence[Statement | _BackEdge]
    up: _Continuation | None


class _TooLong(Exception):
    """Raised when the path to the end is too long to copy."""


class _JumpThreading:
    def __init__(self, budget: int) -> None:
        self._budget = budget
        # The number of switches around the current block that absorbed the statements after them.
        self._depth = 0
        self._returning = False

    def block(
        self, statements: Sequence[Statement | _BackEdge], facts: Facts, rest: _Continuation | None
    ) -> Block:
        """Return the simplified statements of a block; `facts` hold before it, and are updated.

        `rest` has the statements that come after the block.
        """
        made: Block = []
        ahead = list(reversed(statements))
        while ahead:
            statement = ahead.pop()
            self._budget -= 1
            if isinstance(statement, NodeRun):
                self._run(statement, facts, made)
            elif isinstance(statement, Move):
                move(statement, facts, made)
            elif isinstance(statement, Switch):
                chosen = self._static_branch(statement, facts)
                if chosen is not None:
                    ahead.extend(reversed(chosen))
                elif self._switch(statement, ahead[::-1], facts, made, rest):
                    return made
            elif isinstance(statement, Loop):
                self._loop(statement, _Continuation(ahead[::-1], rest), facts, made)
                if _never_ends(made):
                    return made
            elif isinstance(statement, Try):
                made.append(self._try(statement, facts))
            elif isinstance(statement, _BackEdge):
                if not self._back(statement, facts, made, rest):
                    return made
            elif isinstance(statement, Return):
                made.append(Return(resolved_all(statement.reads, facts), statement.is_reachable))
                return made
            else:
                made.append(statement)
                if isinstance(statement, Break):
                    return made
        return made

    # -- one statement -------------------------------------------------------------------------

    def _run(self, statement: NodeRun, facts: Facts, made: Block) -> None:
        reads = resolved_all(statement.reads, facts)
        found = fold_truth(statement.node, reads, facts)
        if found is not None:
            facts[statement.writes[0]] = found
            return
        kill(statement.writes, facts)
        made.append(NodeRun(statement.node, reads, statement.writes))

    def _static_branch(self, statement: Switch, facts: Facts) -> Block | None:
        """Return the branch that is always taken; None where that is not known."""
        held = truth(statement.test, facts)
        if held is None or statement.node.op.name != "cond":
            return None
        return statement.branches[0 if held else 1]

    def _switch(
        self,
        statement: Switch,
        after: Sequence[Statement | _BackEdge],
        facts: Facts,
        made: Block,
        rest: _Continuation | None,
    ) -> bool:
        """Add a switch; return whether the statements after it were moved into its branches."""
        test = resolved(statement.test, facts)
        if self._budget > 0 and self._depth < _MAX_DEPTH and after and _decides_a_flag(statement):
            before = dict(facts)
            self._depth += 1
            try:
                branches = tuple(
                    self.block([*branch, *after], taken, rest)
                    for branch, taken in _branches_with_facts(statement, test, before)
                )
            finally:
                self._depth -= 1
            if _is_profitable(statement, after, branches):
                made.append(Switch(statement.node, test, branches))
                forget(made[-1:], facts)
                return True
        beyond = _Continuation(after, rest)
        starts = _branches_with_facts(statement, test, facts)
        parts = [self.block(branch, taken, beyond) for branch, taken in starts]
        for branch in statement.branches:
            forget(branch, facts)
        made.append(Switch(statement.node, test, tuple(parts)))
        return False

    def _loop(self, loop: Loop, rest: _Continuation, facts: Facts, made: Block) -> None:
        if self._returning:
            raise _TooLong
        if self._is_finished(loop, dict(facts)):
            return
        assumed = {flag for flag in loop.flags if facts.get(flag) is False}
        forget(loop.body, facts)
        forget(loop.head, facts)
        first = self._head(loop, {**facts, **dict.fromkeys(assumed, False)})
        if first and isinstance(first[-1], Switch):
            loop = _split_conjunction(loop)
        while True:
            at_head: Facts = {**facts, **dict.fromkeys(assumed, False)}
            head = self._head(loop, at_head)
            test = None if loop.test is None else resolved(loop.test, at_head)
            back = _BackEdge(loop, assumed, set(), set())
            body = self.block([*loop.body, back], dict(at_head), rest)
            if not back.refuted:
                break
            assumed = assumed - back.refuted
        facts.update((flag, False) for flag in assumed - back.left_by)
        if test is not None and constant_truth(test) is True:
            test = None
        made.append(Loop(loop.node, loop.variables, loop.flags, head, test, body, loop.limit))

    def _head(self, loop: Loop, facts: Facts) -> Block:
        """Return a loop's head; its switches absorb no statements, since the test follows."""
        depth, self._depth = self._depth, _MAX_DEPTH
        try:
            return self.block(loop.head, facts, None)
        finally:
            self._depth = depth

    def _try(self, tried: Try, facts: Facts) -> Try:
        """Return a `try` with threaded parts; `facts` keeps those that hold after every part."""
        if self._returning:
            raise _TooLong
        initial = resolved_all(tried.initial, facts)
        kill(written_by(tried), facts)
        at_end = dict(facts)
        body = self.block(_with_shared_results(tried), at_end, None)
        orelse = self.block(tried.orelse, at_end, None)
        forget([tried], facts)
        handlers, ends = [], [at_end]
        for handler in tried.handlers:
            ends.append(dict(facts))
            handlers.append(self.block(handler, ends[-1], None))
        facts.clear()
        facts.update(item for item in at_end.items() if all(item in each.items() for each in ends))
        head = tried.record, initial, tried.noted
        return Try(tried.node, tried.caught, body, orelse, tuple(handlers), *head)

    def _is_finished(self, loop: Loop, facts: Facts) -> bool:
        """Return whether a loop is over, and no node must run to find that out."""
        if loop.test is None:
            return False
        head = self.block(loop.head, facts, None)
        return truth(loop.test, facts) is False and not any(map(_is_observable, head))

    def _back(self, back: _BackEdge, facts: Facts, made: Block, rest: _Continuation | None) -> bool:
        """Add the jump to a loop's head or end; return whether the block continues."""
        if self._is_finished(back.loop, dict(facts)):
            if self._returning:
                return True
            end = self._return_path(facts, rest)
            if end is not None:
                made.extend(end)
            else:
                back.left_by.update(flag for flag in back.assumed if facts.get(flag) is not False)
                made.append(Break(back.loop.node))
            return False
        if self._returning:
            raise _TooLong
        back.refuted.update(flag for flag in back.assumed if facts.get(flag) is not False)
        if made and isinstance(made[-1], Move):
            made.append(without(made.pop(), back.assumed))
        return False

    def _return_path(self, facts: Facts, rest: _Continuation | None) -> Block | None:
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
            end = self.block(statements, dict(facts), None)
        except _TooLong:
            return None
        finally:
            self._returning = False
        ends = bool(end) and isinstance(end[-1], Return)
        return end if ends and _size(end) <= _BEFORE_RETURN else None


def _branches_with_facts(switch: Switch, test: PlanSlot, facts: Facts) -> list[tuple[Block, Facts]]:
    """Return each branch with the facts that hold in it, which include the result of the test."""
    branches = [(branch, dict(facts)) for branch in switch.branches]
    if switch.node.op.name == "cond" and not test.is_fixed and test.tensor.spec == _SCALAR_BOOL:
        for (_, inside), held in zip(branches, (True, False)):
            inside[test] = TestResult(held)
    return branches


def _with_shared_results(tried: Try) -> Block:
    """Return the body of a `try`, with a move that assigns to themselves the results `else` reads.

    A switch may absorb the end of the body, so that each branch has its own facts about them: the
    move assigns the results whose nodes are folded there, and disappears for all others.
    """
    reads = {slot for statement in walk(tried.orelse) for slot in read_by(statement)}
    runs = [each for each in walk(tried.body) if isinstance(each, NodeRun)] if reads else []
    shared = tuple([slot for run in runs for slot in run.writes if slot in reads])
    return [*tried.body, Move(shared, shared)] if shared else tried.body


def _split_conjunction(loop: Loop) -> Loop:
    """Return a loop that ends at the first false test of `a and b`.

    head: a; if a: test = b                   head: a
          else: test = a              ->      test: a
    test: test                                body: b; if not b: leave; test = b; ...
    body: ...
    """
    switch = loop.head[-1] if loop.head else None
    if loop.limit is not None or loop.test is None or not _is_false_without(switch, loop.test):
        return loop
    body = [*_break_unless(switch.branches[0], loop.test, switch.node, loop.node), *loop.body]
    return Loop(loop.node, loop.variables, loop.flags, loop.head[:-1], switch.test, body)


def _is_false_without(statement: Statement | None, test: PlanSlot) -> TypeGuard[Switch]:
    """Return whether a switch computes the loop's test, which is false if its own test is."""
    if not isinstance(statement, Switch) or statement.node.op.name != "cond":
        return False
    orelse = statement.branches[1]
    results = orelse[0] if len(orelse) == 1 else None
    if not isinstance(results, Move) or results.writes != (test,) or statement.test.is_fixed:
        return False
    (found,) = results.reads
    return found is statement.test or constant_truth(found) is False


def _break_unless(block: Block, test: PlanSlot, owner: Node, loop: Node) -> Block:
    """Return a block that computes a loop's test, and leaves the loop if the test is false."""
    last = block[-1] if block else None
    if isinstance(last, Move) and last.writes == (test,) and not last.reads[0].is_fixed:
        return [*_break_unless(block[:-1], last.reads[0], owner, loop), last]
    if _is_false_without(last, test):
        before = _break_unless(block[:-1], last.test, owner, loop)
        return [*before, *_break_unless(last.branches[0], test, last.node, loop)]
    return [*block, Switch(owner, test, ([], [Break(loop)]))]


def _never_ends(block: Block) -> bool:
    """Return whether a block ends in a loop that only a return or an error ends."""
    loop = block[-1] if block else None
    if not isinstance(loop, Loop) or loop.test is not None or loop.limit is not None:
        return False
    return not any(isinstance(each, Break) and each.loop is loop.node for each in walk(loop.body))


# -- the benefit of a change -----------------------------------------------------------------------


def _size(block: Sequence[Statement | _BackEdge]) -> int:
    statements: Any = block
    return sum(isinstance(each, (NodeRun, Loop, Switch)) for each in walk(statements))


def _is_observable(statement: Statement) -> bool:
    """Return whether omitting a statement would be visible, by its effect or by an error."""
    if not isinstance(statement, NodeRun):
        return not isinstance(statement, Move)
    return statement.node.effect != "none" or may_fail(statement.node)


def _is_profitable(
    switch: Switch, after: Sequence[Statement | _BackEdge], copies: Sequence[Block]
) -> bool:
    """Return whether copying the statements after a switch adds little code, and saves some."""
    before, made = sum(map(_size, switch.branches)), sum(map(_size, copies))
    is_shorter = made < before + len(copies) * _size(after)
    ends = (Break, Return) if any(isinstance(each, _BackEdge) for each in after) else Break
    jumps = any(isinstance(each, ends) for copy in copies for each in walk(copy))
    return (is_shorter or jumps) and made <= before + _size(after) + _GROWTH


def _decides_a_flag(switch: Switch) -> bool:
    """Return whether a branch of a switch assigns a known truth value."""
    return any(_ends_with_constant(branch) for branch in switch.branches)


def _ends_with_constant(branch: Block) -> bool:
    results = branch[-1] if branch else None
    if not isinstance(results, Move):
        return False
    if any(constant_truth(source) is not None for source in results.reads):
        return True
    inner = [each for each in branch if isinstance(each, Switch)]
    return any(map(_decides_a_flag, inner))
