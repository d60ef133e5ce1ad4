"""Printing a plan as one Python function.

    def f(n):
        n = n.item()
        i = 0
        while i < n:
            i = i + 1
        return (array(i, int32),)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.executors import interpreter
from runtime.executors.numpy.block_loops import print_blocks
from runtime.executors.numpy.direct import direct_text
from runtime.executors.numpy.kernels import array_text, call_text, result_text
from runtime.executors.numpy.names import Names, identifier
from runtime.executors.numpy.numbers import Expression, Numbers
from runtime.executors.numpy.writing import Lines, Place
from runtime.executors.plan import (
    Block,
    Blocks,
    Choose,
    Leave,
    Loop,
    Move,
    Plan,
    Repeat,
    Run,
    Slot,
    Statement,
    Stop,
    blocks_in,
    read_by,
    walk,
    written_by,
)
from runtime.graph.callee import called_graph
from runtime.graph.graph import Graph
from runtime.tensor import EagerTensor, SymbolicTensor


@dataclass(frozen=True)
class Printed:
    """A plan as text.

    Attributes:
        name: what the function is called.
        source: the function.
        objects: what it finds by name outside of itself.
        places: what its lines are for, by their numbers.
    """

    name: str
    source: str
    objects: dict[str, Any]
    places: dict[int, Place]


def printed(
    plan: Plan,
    numbers: Numbers,
    held: set[Slot],
    last_uses: dict[Statement, set[Slot]],
    written_over: dict[Run, int],
    callee_of: Callable[[Graph], Any],
) -> Printed:
    """Print a plan.

    Args:
        plan: the plan.
        numbers: what is known of its numbers.
        held: the slots that hold numbers.
        last_uses: the slots that a statement is the last one to read.
        written_over: by node, the position of the operand whose memory takes the result.
        callee_of: gives the function that a whole graph has become.
    """
    return Printer(numbers, held, last_uses, written_over, callee_of).function(plan)


@dataclass
class _Pending:
    """A number that is not computed before it is used, which is once."""

    expression: Expression
    reads: frozenset[Slot]


@dataclass(frozen=True)
class _Operands:
    """The operands of a node as texts."""

    printer: Printer
    run: Run

    def array(self, at: int) -> str:
        return self.printer.array_text(self.run.reads[at], self.run.node.inputs[at])

    def number(self, at: int) -> str | None:
        slot, tensor = self.run.reads[at], self.run.node.inputs[at]
        if slot not in self.printer._held and slot.value is None:
            return None
        numbers = self.printer._numbers
        if not numbers.holds(tensor):
            return None
        return numbers.wrapped(tensor, self.printer._number(slot, tensor).text)

    def not_negative(self, at: int) -> bool:
        return self.printer._numbers.is_never_negative(self.run.node.inputs[at])


@dataclass(frozen=True, eq=False)
class _Moved:
    """A slot that is assigned, what that reads, and the text of its new value."""

    slot: Slot
    reads: frozenset[Slot]
    text: str


class Printer:
    def __init__(
        self,
        numbers: Numbers,
        held: set[Slot],
        last_uses: dict[Statement, set[Slot]],
        written_over: dict[Run, int],
        callee_of: Callable[[Graph], Any],
    ) -> None:
        self._written_over = written_over
        self._callee_of = callee_of
        self._numbers = numbers
        self._held = held
        self._last_uses = last_uses
        self.names = Names()
        numbers.use_names(self.names.of_object)
        self.lines = Lines()
        self._pending: dict[Slot, _Pending] = {}

    def function(self, plan: Plan) -> Printed:
        """Print the whole of a plan."""
        name = self.names.fresh(plan.name)
        parameters = [self.names.of_slot(slot) for slot in plan.parameters]
        for slot, parameter in zip(plan.parameters, parameters):
            if slot in self._held:
                taken = self._numbers.from_array(slot.tensor, parameter)
                self.lines.add(f"{parameter} = {taken}")
        self._block(plan.body)
        source, places = self.lines.text([f"def {name}({', '.join(parameters)}):"])
        return Printed(name, source, self.names.objects, places)

    # -- statements ----------------------------------------------------------------------------

    def _block(self, block: Block) -> None:
        """Print the statements of a block, and what it leaves for later."""
        once = _read_once(block, self._last_uses)
        for statement in block:
            if isinstance(statement, Run):
                self._run(statement, statement in once)
            elif isinstance(statement, Blocks):
                self._blocks(statement)
            elif isinstance(statement, Move):
                self._move(statement)
            elif isinstance(statement, Choose):
                self._choose(statement)
            elif isinstance(statement, Loop):
                self._loop(statement)
            elif isinstance(statement, Stop):
                results = [self.array_text(slot, slot.tensor) for slot in statement.reads]
                self._pending.clear()
                self.lines.add(f"return ({', '.join(results)}{',' * (len(results) == 1)})")
            else:
                self._settle()
                self.lines.add("break" if isinstance(statement, Leave) else "continue")
        self._settle()

    def _run(self, run: Run, is_read_once: bool) -> None:
        expression = self._expression(run)
        if expression is not None:
            self._compute(run, expression, is_read_once)
            return
        if run.node.regions or run.node.op.kernel is None:
            self._assign(run, self._region_call(run))
            return
        operands = [self.array_text(slot, tensor) for slot, tensor in zip(run.reads, run.node.inputs)]
        call = direct_text(run.node, _Operands(self, run), self.names)
        by_kernel = call is None
        if call is None:
            call, made = self._call(run, operands)
        else:
            made = call if run.node.outputs[0].spec.shape.rank else array_text(call, self.names)
        if run.node.op.n_outputs == 1 and run.writes[0] in self._held:
            taken = self._numbers.from_array(run.node.outputs[0], call)
            self._write(run, f"{self.name_of(run.writes[0])} = {taken}", operands, by_kernel)
            return
        self._assign(run, made, operands, by_kernel)

    def _call(self, run: Run, operands: Sequence[str]) -> tuple[str, str]:
        """Return the call of a kernel, and what makes arrays of what it gives."""
        over = self._written_over.get(run)
        given = operands if over is None else [*operands, operands[over]]
        call = call_text(run.node, given, self.names)
        return call, result_text(run.node, call, self.names)

    def _compute(self, run: Run, expression: Expression, is_read_once: bool) -> None:
        (slot,) = run.writes
        if is_read_once and expression.check is None and not expression.fails:
            self._settle_readers_of(slot)
            reads = set(run.reads)
            for each in run.reads:
                waiting = self._pending.pop(each, None)
                if waiting is not None:
                    reads |= waiting.reads
            self._pending[slot] = _Pending(expression, frozenset(reads))
            return
        operands = [self.array_text(read, tensor) for read, tensor in zip(run.reads, run.node.inputs)]
        for each in run.reads:
            self._pending.pop(each, None)
        name = self.name_of(slot)
        self._write(run, f"{name} = {expression.text}", operands)
        if expression.check is not None:
            self.lines.add(expression.check.format(name=name), Place(run.node, operands))

    def _move(self, move: Move) -> None:
        moves = [self._moved(slot, source) for slot, source in zip(move.writes, move.reads)]
        for source in move.reads:
            self._pending.pop(source, None)
        for slot in move.writes:
            self._settle_readers_of(slot)
        ordered = _in_order(moves)
        if ordered is None:
            names = ", ".join(self.name_of(each.slot) for each in moves)
            self.lines.add(f"{names} = {', '.join(each.text for each in moves)}")
            return
        for each in ordered:
            self.lines.add(f"{self.name_of(each.slot)} = {each.text}")

    def _moved(self, slot: Slot, source: Slot) -> _Moved:
        pending = self._pending.get(source)
        reads = frozenset([source]) if pending is None else pending.reads
        if slot in self._held:
            return _Moved(slot, reads, self._number(source, source.tensor).text)
        return _Moved(slot, reads, self.array_text(source, source.tensor))

    def _blocks(self, blocks: Blocks) -> None:
        self._settle()
        print_blocks(blocks, self)

    def _choose(self, choice: Choose) -> None:
        if choice.node.op.name != "cond":
            self._choose_by_index(choice)
            return
        test = self._test(choice.test)
        self._pending.pop(choice.test, None)
        self._settle()
        then, orelse = choice.branches
        place = Place(choice.node, ())
        if not then and not orelse:
            return
        if not then or (_is_left(orelse) and not _is_left(then)):
            self.lines.add(f"if {_negated(test)}:", place)
            with self.lines.indented():
                self._block(orelse)
            rest = then
        else:
            self.lines.add(f"if {test.text}:", place)
            with self.lines.indented():
                self._block(then)
            rest = orelse
        if not rest:
            return
        if _is_left(then) or _is_left(orelse):
            self._block(rest)
            return
        self.lines.add("else:")
        with self.lines.indented():
            self._block(rest)

    def _choose_by_index(self, choice: Choose) -> None:
        index = self.names.fresh("index")
        test = self._number_or_array(choice.test)
        self._pending.pop(choice.test, None)
        self._settle()
        decided = self.names.of_object(interpreter.decided, "decided")
        wanted = f"int({decided}({test.text}))"
        if choice.test in self._held:
            wanted = self._numbers.wrapped(choice.test.tensor, test.text)
        self.lines.add(f"{index} = {wanted}", Place(choice.node, ()))
        last = len(choice.branches) - 1
        for at, branch in enumerate(choice.branches):
            word = "else:" if at == last else f"{'el' * (at > 0)}if {index} == {at}:"
            if last == 0:
                self._block(branch)
                continue
            self.lines.add(word)
            with self.lines.indented():
                self._block(branch)

    def _loop(self, loop: Loop) -> None:
        self._settle()
        place = Place(loop.node, ())
        turns = None
        if loop.limit is not None:
            turns = self.names.fresh("turns")
            self.lines.add(f"{turns} = 0")
        at = len(self.lines.lines)
        self.lines.add("while True:", place)
        self.lines.depth += 1
        if turns is not None:
            self.lines.add(f"if {turns} >= {loop.limit}:")
            self.lines.add("    break")
            self.lines.add(f"{turns} += 1")
        count = len(self.lines.lines)
        self._head(loop)
        if loop.test is not None:
            test = self._test(loop.test)
            self._pending.pop(loop.test, None)
            self._settle()
            if len(self.lines.lines) == count and turns is None:
                self.lines.lines[at].text = f"while {test.text}:"
            else:
                self.lines.add(f"if {_negated(test)}:", place)
                self.lines.add("    break")
        body = len(self.lines.lines)
        self._block(loop.body)
        if len(self.lines.lines) == body == at + 1:
            self.lines.add("pass")
        self.lines.depth -= 1

    def _head(self, loop: Loop) -> None:
        once = _read_once(loop.head, self._last_uses, loop)
        for statement in loop.head:
            if isinstance(statement, Run):
                self._run(statement, statement in once)
            else:
                self._block([statement])

    # -- values --------------------------------------------------------------------------------

    def _expression(self, run: Run) -> Expression | None:
        if not computes(run, self._numbers):
            return None
        operands = [self._number(slot, each) for slot, each in zip(run.reads, run.node.inputs)]
        return self._numbers.expression(run.node, operands)

    def _number(self, slot: Slot, tensor: SymbolicTensor) -> Expression:
        """Return a number, wherever it is held."""
        if slot.value is not None:
            return self._numbers.constant(slot.value)
        pending = self._pending.get(slot)
        if pending is not None:
            return pending.expression
        if slot in self._held:
            return Expression.of_name(self.name_of(slot))
        return Expression.of_name(self._numbers.from_array(tensor, self.array_text(slot, tensor)))

    def array_text(self, slot: Slot, tensor: SymbolicTensor) -> str:
        """Return an array, or what the op takes of what is outside."""
        if slot.value is not None:
            return self.names.of_object(slot.value, slot.name)
        if slot.outer is not None:
            outer = slot.outer
            held = outer._array if isinstance(outer, EagerTensor) else outer
            return self.names.of_object(held, slot.name)
        if slot not in self._held:
            return self.name_of(slot)
        return self._numbers.to_array(tensor, self._number(slot, tensor).text)

    def _number_or_array(self, slot: Slot) -> Expression:
        if slot in self._held or (slot.value is not None and self._numbers.holds(slot.tensor)):
            return self._number(slot, slot.tensor)
        return Expression.of_name(self.array_text(slot, slot.tensor))

    def _test(self, slot: Slot) -> Expression:
        """Return what is true where a test holds."""
        if slot.tensor.spec.shape.rank == 0:
            return self._number_or_array(slot)
        decided = self.names.of_object(interpreter.decided, "decided")
        return Expression.of_name(f"{decided}({self.array_text(slot, slot.tensor)})")

    def name_of(self, slot: Slot) -> str:
        return self.names.of_slot(slot)

    def _region_call(self, run: Run) -> str:
        """Return the call that runs a node whose regions are not printed."""
        operands = [self.array_text(slot, tensor) for slot, tensor in zip(run.reads, run.node.inputs)]
        callee = self._callee(run)
        if callee is not None:
            name = self.names.of_object(callee, f"call_{callee.__name__}")
            own = len(called_graph(run.node.attrs).graph.parameters)
            return f"{name}({', '.join(operands[:own])})"
        runner = interpreter.runner_of(run.node)
        name = self.names.of_object(runner, f"run_{identifier(run.node.op.name)}")
        return f"{name}({', '.join(operands)})"

    def _callee(self, run: Run) -> Any:
        """Return the function for the graph that a node calls; None where it is given what it uses."""
        called = called_graph(run.node.attrs)
        if called is None:
            return None
        captures = called.graph.captures
        given = run.reads[len(called.graph.parameters) :]
        if any(slot.outer is not held.outer for slot, held in zip(given, captures)):
            return None
        return self._callee_of(called.graph).function

    # -- writing -------------------------------------------------------------------------------

    def _assign(
        self, run: Run, call: str, operands: Sequence[str] = (), by_kernel: bool = False
    ) -> None:
        targets = [
            self.names.fresh(slot.name) if slot in self._held else self.name_of(slot)
            for slot in run.writes
        ]
        if not targets:
            self._write(run, call, operands, by_kernel)
            return
        comma = "," * (run.node.op.n_outputs != 1 and len(targets) == 1)
        self._write(run, f"{', '.join(targets)}{comma} = {call}", operands, by_kernel)
        for slot, tensor, target in zip(run.writes, run.node.outputs, targets):
            if slot in self._held:
                self.lines.add(f"{self.name_of(slot)} = {self._numbers.from_array(tensor, target)}")

    def _write(
        self, run: Run, text: str, operands: Sequence[str], by_kernel: bool = False
    ) -> None:
        for slot in run.reads:
            self._pending.pop(slot, None)
        for slot in run.writes:
            self._settle_readers_of(slot)
        self.lines.add(text, Place(run.node, operands, by_kernel))

    def _settle_readers_of(self, slot: Slot) -> None:
        """Compute what still waits to read a slot that is about to be assigned."""
        for each in [each for each, found in self._pending.items() if slot in found.reads]:
            self._settle_one(each)

    def _settle(self) -> None:
        """Compute all that waits."""
        for slot in list(self._pending):
            self._settle_one(slot)

    def _settle_one(self, slot: Slot) -> None:
        found = self._pending.pop(slot)
        self.lines.add(f"{self.name_of(slot)} = {found.expression.text}")


def computes(run: Run, numbers: Numbers) -> bool:
    """Return whether a node is computed with numbers."""
    node = run.node
    if len(node.outputs) != 1 or node.regions or not numbers.holds(node.outputs[0]):
        return False
    if not all(map(numbers.holds, node.inputs)):
        return False
    return numbers.has_expression(node)


def _negated(test: Expression) -> str:
    return f"not {test.text}" if test.binds > Expression.NOT else f"not ({test.text})"


def _is_left(block: Block) -> bool:
    """Return whether nothing that comes after a block follows it."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, Choose):
        return all(map(_is_left, last.branches))
    return isinstance(last, (Leave, Repeat, Stop))


def _read_once(
    block: Block, last_uses: dict[Statement, set[Slot]], loop: Loop | None = None
) -> set[Statement]:
    """Return the nodes whose result one statement of the same block reads once, and nothing else.

    `loop` is the loop whose head this is, if it is one.
    """
    found: set[Statement] = set()
    waiting: dict[Slot, Statement] = {}
    for statement in [*block, *([] if loop is None else [loop])]:
        own = read_by(statement)
        if statement is loop or not isinstance(statement, Loop):
            for slot in own:
                maker = waiting.get(slot)
                if maker and slot in last_uses[statement] and own.count(slot) == 1:
                    found.add(maker)
        inside = () if statement is loop else (each for b in blocks_in(statement) for each in walk(b))
        for slot in (*own, *(slot for each in inside for slot in read_by(each))):
            waiting.pop(slot, None)
        if isinstance(statement, Run) and len(statement.writes) == 1:
            waiting[statement.writes[0]] = statement
    return found


def _in_order(moves: list[_Moved]) -> list[_Moved] | None:
    """Return moves in an order in which none takes what another has changed; None for a circle."""
    left = list(moves)
    ordered: list[_Moved] = []
    while left:
        free = next(
            (
                each
                for each in left
                if not any(each.slot in other.reads for other in left if other is not each)
            ),
            None,
        )
        if free is None:
            return None
        left.remove(free)
        ordered.append(free)
    return ordered
