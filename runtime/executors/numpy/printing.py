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
from typing import Any

from runtime.executors import interpreter
from runtime.executors.numpy.block_loops import print_blocks
from runtime.executors.numpy.buffers import bytes_of
from runtime.executors.numpy.choices import print_choice_by_index
from runtime.executors.numpy.direct import direct_text
from runtime.executors.numpy.kernels import array_text, call_text, result_text
from runtime.executors.numpy.moves import in_order
from runtime.executors.numpy.names import identifier
from runtime.executors.numpy.numbers import Expression, Numbers
from runtime.executors.numpy.parts import print_parts
from runtime.executors.numpy.rooms import Rooms
from runtime.executors.numpy.stack_values import StackValues
from runtime.executors.numpy.stacks import Stacks
from runtime.executors.numpy.targets import new_room, target_text
from runtime.executors.numpy.values import Operands, Pending
from runtime.executors.numpy.variables import print_access
from runtime.executors.numpy.writing import Place
from runtime.executors.plan import (
    Block,
    Blocks,
    Choose,
    Leave,
    Loop,
    Move,
    Plan,
    Run,
    SideBySide,
    Slot,
    Statement,
    Stop,
    written_by,
)
from runtime.executors.reading import is_left, read_once
from runtime.graph.callee import CalledGraph, called_graph
from runtime.graph.graph import Graph
from runtime.records import dataclass

# Bytes of an array that is not kept longer than it is read.
_LARGE = 1 << 20


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
    rooms: Rooms,
    stacks: Stacks,
    callee_of: Callable[[Graph], Any],
) -> Printed:
    """Print a plan.

    Args:
        plan: the plan.
        numbers: what is known of its numbers.
        held: the slots that hold numbers.
        last_uses: the slots that a statement is the last one to read.
        rooms: the memory that results are written to.
        stacks: the slots that hold lists of Python's.
        callee_of: gives the function that a whole graph has become.
    """
    return Printer(numbers, held, last_uses, rooms, stacks, callee_of).function(plan)


class Printer(StackValues):
    """Prints statements, one after the other."""

    def __init__(
        self,
        numbers: Numbers,
        held: set[Slot],
        last_uses: dict[Statement, set[Slot]],
        rooms: Rooms,
        stacks: Stacks,
        callee_of: Callable[[Graph], Any],
    ) -> None:
        super().__init__(numbers, held, stacks)
        self.rooms = rooms
        self._callee_of = callee_of
        self._last_uses = last_uses

    def function(self, plan: Plan) -> Printed:
        """Print the whole of a plan."""
        name = self.names.fresh(plan.name)
        parameters = [self.names.of_slot(slot) for slot in plan.parameters]
        for slot, parameter in zip(plan.parameters, parameters):
            if slot in self.held:
                taken = self.numbers.from_array(slot.tensor, parameter)
                self.lines.add(f"{parameter} = {taken}")
            if self.stacks.of(slot) is not None:
                self.lines.add(f"{parameter} = {self.stack_of_value(parameter)}")
        self.block(plan.body)
        source, places = self.lines.text([f"def {name}({', '.join(parameters)}):"])
        return Printed(name, source, self.names.objects, places)

    # -- statements ----------------------------------------------------------------------------

    def block(self, block: Block) -> None:
        """Print the statements of a block, and what it leaves for later."""
        once = read_once(block, self._last_uses)
        for statement, following in zip(block, [*block[1:], None]):
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
            elif isinstance(statement, SideBySide):
                print_parts(statement, self)
            elif isinstance(statement, Stop):
                results = [self.array_text(slot, slot.tensor) for slot in statement.reads]
                self.pending.clear()
                self.lines.add(f"return ({', '.join(results)}{',' * (len(results) == 1)})")
            else:
                self.settle()
                self.lines.add("break" if isinstance(statement, Leave) else "continue")
            if self.lines.is_straight and not isinstance(following, (Stop, type(None))):
                self._let_go(statement)
        self.settle()

    def _let_go(self, statement: Statement) -> None:
        """Let go of large arrays that nobody reads any more."""
        if isinstance(statement, (Stop, Move)):
            return
        ends = self._last_uses[statement] - self.held - self.pending.keys()
        large = [slot for slot in ends if not slot.is_fixed and bytes_of(slot.tensor) >= _LARGE]
        taken = written_by(statement)
        names = sorted(self.name_of(slot) for slot in large if slot not in taken)
        if names:
            self.lines.add(f"{' = '.join(names)} = None")

    def _run(self, run: Run, is_read_once: bool) -> None:
        expression = self._expression(run)
        if expression is not None:
            self._compute(run, expression, is_read_once)
            return
        if print_access(run, self):
            return
        stack = self.stacks.of_run(run)
        if stack is not None:
            self.change_stack(run, stack, is_read_once)
            return
        if run.node.regions or run.node.op.kernel is None:
            self._assign(run, self._region_call(run))
            return
        operands = [
            self.array_text(slot, tensor) for slot, tensor in zip(run.reads, run.node.inputs)
        ]
        call = direct_text(run.node, Operands(self, run), self.names)
        by_kernel = call is None
        if call is None:
            call, made = self._call(run, operands)
        else:
            if run in self.rooms.results:
                call = f"{call[:-1]}, {self.room(self.rooms.results[run])})"
            is_array = run.node.op.n_outputs != 1 or run.node.outputs[0].spec.shape.rank
            made = call if is_array else array_text(call, self.names)
        if run.node.op.n_outputs == 1 and run.writes[0] in self.held:
            taken = self._taken(run, call, by_kernel)
            self.write(run, f"{self.name_of(run.writes[0])} = {taken}", operands, by_kernel)
            return
        self._assign(run, made, operands, by_kernel)

    def _taken(self, run: Run, call: str, by_kernel: bool) -> str:
        """Return the number that a call gives."""
        tensor = run.node.outputs[0]
        if not by_kernel and run.node.op.name in ("strided_slice", "gather") and "..." not in call:
            return self.numbers.from_element(tensor, call)
        return self.numbers.from_array(tensor, call)

    def _call(self, run: Run, operands: Sequence[str]) -> tuple[str, str]:
        """Return the call of a kernel, and what makes arrays of what it gives."""
        target = target_text(run, operands, self)
        call = call_text(run.node, operands, self.names, target)
        return call, result_text(run.node, call, self.names)

    def _compute(self, run: Run, expression: Expression, is_read_once: bool) -> None:
        (slot,) = run.writes
        if is_read_once and expression.check is None and not expression.fails:
            self.settle_readers_of(slot)
            reads = set(run.reads)
            for each in run.reads:
                waiting = self.pending.pop(each, None)
                if waiting is not None:
                    reads |= waiting.reads
            self.pending[slot] = Pending(expression, frozenset(reads))
            return
        operands = [
            self.array_text(read, tensor) for read, tensor in zip(run.reads, run.node.inputs)
        ]
        for each in run.reads:
            self.pending.pop(each, None)
        name = self.name_of(slot)
        first, *rest = expression.assigned_to(name)
        self.write(run, first, operands)
        # What mends or refuses the number says it itself, and its operands may be gone.
        for line in rest:
            self.lines.add(line, Place(run.node, ()))

    def _move(self, move: Move) -> None:
        moves = [self.moved(slot, source) for slot, source in zip(move.writes, move.reads)]
        for source in move.reads:
            self.pending.pop(source, None)
        for slot in move.writes:
            self.settle_readers_of(slot)
        ordered = in_order(moves)
        if ordered is None:
            names = ", ".join(self.name_of(each.slot) for each in moves)
            self.lines.add(f"{names} = {', '.join(each.text for each in moves)}")
            return
        for each in ordered:
            self.lines.add(f"{self.name_of(each.slot)} = {each.text}")

    def _blocks(self, blocks: Blocks) -> None:
        self.settle()
        print_blocks(blocks, self)

    def _choose(self, choice: Choose) -> None:
        if choice.node.op.name != "cond":
            print_choice_by_index(choice, self)
            return
        test = self.test(choice.test)
        self.pending.pop(choice.test, None)
        self.settle()
        then, orelse = choice.branches
        place = Place(choice.node, ())
        if not then and not orelse:
            return
        if not then or (is_left(orelse) and not is_left(then)):
            self.lines.add(f"if {_negated(test)}:", place)
            with self.lines.indented():
                self.block(orelse)
            rest = then
        else:
            self.lines.add(f"if {test.text}:", place)
            with self.lines.indented():
                self.block(then)
            rest = orelse
        if not rest:
            return
        if is_left(then) or is_left(orelse):
            self.block(rest)
            return
        self.lines.add("else:")
        with self.lines.indented():
            self.block(rest)

    def _loop(self, loop: Loop) -> None:
        self.settle()
        place = Place(loop.node, ())
        for room in self.rooms.of_loops.get(loop, ()):
            self.lines.add(f"{self.room(room)} = {new_room(room, self)}")
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
            test = self.test(loop.test)
            self.pending.pop(loop.test, None)
            self.settle()
            if len(self.lines.lines) == count and turns is None:
                self.lines.lines[at].text = f"while {test.text}:"
            else:
                self.lines.add(f"if {_negated(test)}:", place)
                self.lines.add("    break")
        body = len(self.lines.lines)
        self.block(loop.body)
        if len(self.lines.lines) == body == at + 1:
            self.lines.add("pass")
        self.lines.depth -= 1

    def _head(self, loop: Loop) -> None:
        once = read_once(loop.head, self._last_uses, loop)
        for statement in loop.head:
            if isinstance(statement, Run):
                self._run(statement, statement in once)
            else:
                self.block([statement])

    # -- values --------------------------------------------------------------------------------

    def _expression(self, run: Run) -> Expression | None:
        if not computes(run, self.numbers):
            return None
        for at in sorted(self.numbers.repeats(run.node)):
            waiting = self.pending.get(run.reads[at])
            if waiting is not None and not waiting.expression.is_cheap:
                self.settle_one(run.reads[at])
        operands = [self.number(slot, each) for slot, each in zip(run.reads, run.node.inputs)]
        return self.numbers.expression(run.node, operands)

    def _region_call(self, run: Run) -> str:
        """Return the call that runs a node whose regions are not printed."""
        operands = [
            self.array_text(slot, tensor) for slot, tensor in zip(run.reads, run.node.inputs)
        ]
        called = called_graph(run.node.attrs)
        if called is not None and _knows_captures(called, run):
            callee = self._callee_of(called.graph).function
            name = self.names.of_object(callee, f"call_{callee.__name__}")
            return f"{name}({', '.join(operands[: len(called.graph.parameters)])})"
        runner = interpreter.runner_of(run.node)
        name = self.names.of_object(runner, f"run_{identifier(run.node.op.name)}")
        return f"{name}({', '.join(operands)})"

    # -- writing -------------------------------------------------------------------------------

    def _assign(
        self, run: Run, call: str, operands: Sequence[str] = (), by_kernel: bool = False
    ) -> None:
        targets = [
            self.names.fresh(slot.name) if slot in self.held else self.name_of(slot)
            for slot in run.writes
        ]
        if not targets:
            self.write(run, call, operands, by_kernel)
            return
        comma = "," * (run.node.op.n_outputs != 1 and len(targets) == 1)
        self.write(run, f"{', '.join(targets)}{comma} = {call}", operands, by_kernel)
        for slot, tensor, target in zip(run.writes, run.node.outputs, targets):
            if slot in self.held:
                self.lines.add(f"{self.name_of(slot)} = {self.numbers.from_array(tensor, target)}")

    def write(self, run: Run, text: str, operands: Sequence[str], by_kernel: bool = False) -> None:
        """Write the line that runs a node."""
        for slot in run.reads:
            self.pending.pop(slot, None)
        for slot in run.writes:
            self.settle_readers_of(slot)
        self.lines.add(text, Place(run.node, operands, by_kernel))


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


def _knows_captures(called: CalledGraph, run: Run) -> bool:
    """Return whether a call gives a graph just what it uses from outside by itself."""
    given = run.reads[len(called.graph.parameters) :]
    pairs = zip(given, called.graph.captures)
    return all(slot.outer is held.outer for slot, held in pairs)
