"""Printing a plan as one Python function.

def f(n):
    n = n.item()
    i = 0
    while i < n:
        i = i + 1
    return (array(i, int32),)
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.executors.numpy.assertions import print_assertion
from runtime.executors.numpy.block_loops import print_blocks
from runtime.executors.numpy.buffers import bytes_of
from runtime.executors.numpy.calls import print_self_call, region_call
from runtime.executors.numpy.choices import print_choice_by_index
from runtime.executors.numpy.direct import direct_text
from runtime.executors.numpy.elements import element_text, print_elements
from runtime.executors.numpy.forms import computes
from runtime.executors.numpy.kernels import array_text, call_text, result_text
from runtime.executors.numpy.list_forms import list_text, print_on_list
from runtime.executors.numpy.lists import Kept
from runtime.executors.numpy.moves import Moved, in_order
from runtime.executors.numpy.names import Names
from runtime.executors.numpy.numbers import Expression
from runtime.executors.numpy.parts import print_parts
from runtime.executors.numpy.prepared import Others, Prepared, Printed
from runtime.executors.numpy.sequences import each_text, print_of_range, ranges_among
from runtime.executors.numpy.stack_values import StackValues
from runtime.executors.numpy.targets import new_room, target_text
from runtime.executors.numpy.values import Operands, Pending
from runtime.executors.numpy.variables import print_access
from runtime.executors.numpy.writing import Place
from runtime.executors.plan import (
    Block,
    Blocks,
    Choose,
    Each,
    Leave,
    Loop,
    Move,
    Run,
    SideBySide,
    Slot,
    Statement,
    Stop,
    written_by,
)
from runtime.executors.reading import is_left, read_once
from runtime.tensor import SymbolicTensor

# Bytes of an array that is not kept longer than it is read.
_LARGE = 1 << 20


def printed(prepared: Prepared, others: Others) -> Printed:
    """Print a plan."""
    return Printer(prepared, others).function()


class Printer(StackValues):
    """Prints statements, one after the other."""

    def __init__(self, prepared: Prepared, others: Others, names: Names | None = None) -> None:
        super().__init__(prepared.numbers, prepared.held, prepared.stacks, names)
        self.plan = prepared.plan
        self.others = others
        self.is_inner = names is not None
        self.rooms = prepared.rooms
        self._last_uses = prepared.last_uses
        self.lists: dict[Slot, Kept] = prepared.lists
        self.elements: dict[Slot, str] = {}  # By array, what holds its elements as numbers.
        self._results: Sequence[SymbolicTensor] = ()  # What is given back is like these.

    def function(self) -> Printed:
        """Print the whole of a plan as a function of arrays."""
        name = self.names.fresh(self.plan.name)
        parameters = self._parameters()
        for slot, parameter in zip(self.plan.parameters, parameters):
            if slot in self.held:
                taken = self.numbers.from_array(slot.tensor, parameter)
                self.lines.add(f"{parameter} = {taken}")
            if self.stacks.of(slot) is not None:
                self.lines.add(f"{parameter} = {self.stack_of_value(parameter)}")
        self.block(self.plan.body)
        source, places = self._text(name, parameters)
        for text, known in reversed(self.others.printed):
            lines = text.count("\n")
            places = {**known, **{line + lines: place for line, place in places.items()}}
            source = text + source
        return Printed(name, source, self.names.objects, places)

    def function_of_numbers(self, name: str, results: Sequence[SymbolicTensor]) -> None:
        """Print the whole of a plan as a function that takes and gives numbers where it can."""
        self._results = results
        parameters = self._parameters()
        for slot, parameter in zip(self.plan.parameters, parameters):
            if slot not in self.held and self.numbers.holds(slot.tensor):
                self.lines.add(f"{parameter} = {self.numbers.to_array(slot.tensor, parameter)}")
            if self.stacks.of(slot) is not None:
                self.lines.add(f"{parameter} = {self.stack_of_value(parameter)}")
        self.block(self.plan.body)
        self.others.printed.append(self._text(name, parameters))

    def _parameters(self) -> list[str]:
        self.ranges, self.lengths = ranges_among(self.plan, self.numbers.is_never_negative)
        return [self.names.of_slot(slot) for slot in self.plan.parameters]

    def _text(self, name: str, parameters: Sequence[str]) -> tuple[str, dict[int, Place]]:
        return self.lines.text([f"def {name}({', '.join(parameters)}):"])

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
                self._stop(statement)
            else:
                self.settle()
                self.lines.add("break" if isinstance(statement, Leave) else "continue")
            if self.lines.is_straight and not isinstance(following, (Stop, type(None))):
                self._let_go(statement)
        self.settle()

    def array_text(self, slot: Slot, tensor: SymbolicTensor) -> str:
        if slot in self.lists:
            return list_text(slot, self)
        return super().array_text(slot, tensor)

    def moved(self, slot: Slot, source: Slot) -> Moved:
        if slot in self.lists:
            return Moved(slot, frozenset([source]), self.name_of(source))
        return super().moved(slot, source)

    def _stop(self, stop: Stop) -> None:
        if self._results:
            results = [
                self.given(slot, slot.tensor, like) for slot, like in zip(stop.reads, self._results)
            ]
            text = ", ".join(results)
        else:
            results = [self.array_text(slot, slot.tensor) for slot in stop.reads]
            text = f"({', '.join(results)}{',' * (len(results) == 1)})"
        self.pending.clear()
        self.lines.add(f"return {text}")

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
        if self.lists and print_on_list(run, self):
            return
        expression = self._expression(run)
        if expression is not None:
            self._compute(run, expression, is_read_once)
            return
        if print_access(run, self) or print_assertion(run, self):
            return
        stack = self.stacks.of_run(run)
        if stack is not None:
            self.change_stack(run, stack, is_read_once)
            return
        if run.node.regions or run.node.op.kernel is None:
            if print_self_call(run, self):
                return
            self._assign(run, region_call(run, self))
            return
        operands = list(map(self.array_text, run.reads, run.node.inputs))
        if print_of_range(run, operands, self):
            return
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
            listed = self.elements.get(run.reads[0])
            if listed is not None:
                array = self.array_text(run.reads[0], run.node.inputs[0])
                return element_text(listed, call, array)
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
        operands = list(map(self.array_text, run.reads, run.node.inputs))
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

    def _each(self, loop: Loop, each: Each) -> None:
        """Print a loop over numbers, or over those of an array."""
        (slot,), texts = each.writes, each_text(each, self)
        for read in each.reads:
            self.pending.pop(read, None)
        self.settle()
        self.lines.add(f"for {self.name_of(slot)} in {texts}:", Place(loop.node, ()))
        with self.lines.indented():
            self.block(loop.body)

    def _loop(self, loop: Loop) -> None:
        """Print a loop, and before it what makes numbers of arrays that it reads."""
        self.settle()
        made = print_elements(loop, self)
        for room in self.rooms.of_loops.get(loop, ()):
            self.lines.add(f"{self.room(room)} = {new_room(room, self)}")
        if loop.each is not None:
            self._each(loop, loop.each)
        else:
            self._while(loop)
        for slot in made:
            del self.elements[slot]

    def _while(self, loop: Loop) -> None:
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


def _negated(test: Expression) -> str:
    return f"not {test.text}" if test.binds > Expression.NOT else f"not ({test.text})"
