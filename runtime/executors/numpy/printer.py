"""Prints a plan as a Python function, after the functions of its recursive regions.

def f(n):
    n = n.item()
    i = 0
    while i < n:
        i = i + 1
    return (array(i, int32_dtype),)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from runtime.core.lazy_imports import lazy_import
from runtime.executors.analysis.liveness import ends_in_jump, single_use_runs
from runtime.executors.numpy.array_methods import direct_text
from runtime.executors.numpy.block_loops import print_blocks
from runtime.executors.numpy.buffer_reuse import bytes_of
from runtime.executors.numpy.control_flow import (
    negated,
    print_guard,
    print_loop,
    print_parts,
    print_switch,
    print_try,
)
from runtime.executors.numpy.element_access import element_text
from runtime.executors.numpy.item_updates import print_change, put_off
from runtime.executors.numpy.kernel_calls import array_text, call_text, result_text
from runtime.executors.numpy.list_analysis import is_list
from runtime.executors.numpy.list_gradient_rows import print_rows
from runtime.executors.numpy.numbers import Expression
from runtime.executors.numpy.output_targets import target_text
from runtime.executors.numpy.parallel_moves import sequentialized
from runtime.executors.numpy.print_context import (
    CalledFunctions,
    PreparedPlan,
    PrintContext,
    PrintedSource,
    SelfCaller,
)
from runtime.executors.numpy.python_ranges import print_of_range, ranges_among
from runtime.executors.numpy.source_writer import PrintedNode
from runtime.executors.numpy.value_forms import has_number_expression
from runtime.executors.numpy.values import PendingNumber, RunOperands
from runtime.executors.numpy.variables import print_access
from runtime.executors.plan.plan import (
    Block,
    BlockLoop,
    Break,
    Loop,
    Move,
    NodeRun,
    Parallel,
    PlanSlot,
    Return,
    Statement,
    Switch,
    Try,
    written_by,
)

count_call = lazy_import("runtime.executors.numpy.calls:count_call")
print_self_call = lazy_import("runtime.executors.numpy.calls:print_self_call")
region_call = lazy_import("runtime.executors.numpy.calls:region_call")

# Arrays of at least this many bytes are released after their last use.
_LARGE = 1 << 20


def print_plan(prepared: PreparedPlan, others: CalledFunctions) -> PrintedSource:
    """Print a plan, and the functions of its recursive regions."""
    return Printer(prepared, others).function()


class Printer(PrintContext):
    """Prints statements, one after the other."""

    def function(self) -> PrintedSource:
        """Print the whole plan as a function of arrays."""
        name = self.names.fresh(self.plan.name)
        parameters = self._parameters()
        for slot, parameter in zip(self.plan.parameters, parameters):
            if slot in self.number_slots:
                number = self.numbers.from_array(slot.tensor, parameter)
                self.lines.add(f"{parameter} = {number}")
            if self.lists.of(slot) is not None:
                self.lines.add(f"{parameter} = {self.list_of_value(parameter)}")
        self._copy(slot for slot in self.plan.parameters if slot in self.in_place.parameters)
        self.block(self.plan.body)
        source, nodes = self._text(name, parameters)
        for text, known in reversed(self.others.printed):
            lines = text.count("\n")
            nodes = {**known, **{line + lines: place for line, place in nodes.items()}}
            source = text + source
        return PrintedSource(name, source, self.names.objects, nodes)

    def function_of_numbers(self, function: SelfCaller) -> None:
        """Print the whole plan as a function that takes and returns numbers where possible."""
        self._results = function.results
        parameters = self._parameters()
        if function.is_counted:
            self.depth = self.names.fresh("depth")
            count_call(function, parameters, self)
        for slot, parameter in zip(self.plan.parameters, parameters):
            if slot not in self.number_slots and self.numbers.holds(slot.tensor):
                self.lines.add(f"{parameter} = {self.numbers.to_array(slot.tensor, parameter)}")
            if self.lists.of(slot) is not None:
                self.lines.add(f"{parameter} = {self.list_of_value(parameter)}")
        self._copy(slot for slot in self.plan.parameters if slot in self.in_place.parameters)
        self.block(self.plan.body)
        counted = [self.depth] * function.is_counted
        self.others.printed.append(self._text(function.name, [*parameters, *counted]))

    def _parameters(self) -> list[str]:
        self.ranges, self.lengths = ranges_among(self.plan, self.numbers.is_never_negative)
        return [self.names.of_slot(slot) for slot in self.plan.parameters]

    def _text(self, name: str, parameters: Sequence[str]) -> tuple[str, dict[int, PrintedNode]]:
        return self.lines.text([f"def {name}({', '.join(parameters)}):"])

    # -- statements ----------------------------------------------------------------------------

    def block(self, block: Block) -> None:
        """Print the statements of a block, and compute all pending values at its end."""
        once = single_use_runs(block, self.last_uses)
        for statement, following in zip(block, [*block[1:], None]):
            if isinstance(statement, NodeRun):
                self.run(statement, statement in once)
            elif isinstance(statement, BlockLoop):
                self._blocks(statement)
            elif isinstance(statement, Move):
                self._move(statement)
            elif isinstance(statement, Switch):
                self._switch(statement)
            elif isinstance(statement, Loop):
                print_loop(statement, self)
            elif isinstance(statement, Try):
                print_try(statement, self)
            elif isinstance(statement, Parallel):
                print_parts(statement, self)
            elif isinstance(statement, Return):
                self._return(statement)
            else:
                self.settle()
                self.lines.add("break" if isinstance(statement, Break) else "continue")
            if self.lines.is_straight and not isinstance(following, (Return, type(None))):
                self._release(statement)
        self.settle()

    def _return(self, statement: Return) -> None:
        if not statement.is_reachable:
            self.pending.clear()
            return
        if self._results is not None:
            results = [
                self.given(slot, slot.tensor, like)
                for slot, like in zip(statement.reads, self._results)
            ]
            text = ", ".join(results)
        else:
            results = [self.array_text(slot, slot.tensor) for slot in statement.reads]
            text = f"({', '.join(results)}{',' * (len(results) == 1)})"
        self.pending.clear()
        self.lines.add(f"return {text}".rstrip())

    def _release(self, statement: Statement) -> None:
        """Release large arrays that are not read again."""
        if isinstance(statement, (Return, Move)) or statement in self.in_place.operand_stacks:
            return
        ends = self.last_uses[statement] - self.number_slots - self.pending.keys()
        large = [slot for slot in ends if not slot.is_fixed and bytes_of(slot.tensor) >= _LARGE]
        taken = written_by(statement)
        names = sorted(self.name_of(slot) for slot in large if slot not in taken)
        if names:
            self.lines.add(f"{' = '.join(names)} = None")

    def run(self, run: NodeRun, is_read_once: bool) -> None:
        """Print a node; its result may stay pending until the statement that reads it."""
        self._run(run, is_read_once)
        self._copy(run.writes if run in self.in_place.copied else ())

    def _copy(self, slots: Iterable[PlanSlot]) -> None:
        """Give slots their own copies of arrays, since these are changed in place later."""
        for name in map(self.name_of, slots):
            self.lines.add(f"{name} = {name}.copy()")

    def _run(self, run: NodeRun, is_read_once: bool) -> None:
        kept = self.lists.of_run(run)
        if kept is not None:
            self.change_list(run, kept, is_read_once)
            return
        expression = self._expression(run)
        if expression is not None:
            self._compute(run, expression, is_read_once)
            return
        if print_access(run, self) or print_guard(run, self) or print_rows(run, self):
            return
        if run.node.regions or run.node.op.kernel is None:
            if print_self_call(run, self):
                return
            self._assign(run, region_call(run, self))
            return
        if print_change(run, self) or put_off(run, self):
            return
        operands = list(map(self.array_text, run.reads, run.node.inputs))
        if print_of_range(run, operands, self):
            return
        call = direct_text(run.node, RunOperands(self, run), self.names)
        by_kernel = call is None
        if call is None:
            call, made = self._call(run, operands)
        else:
            if run in self.buffers.results:
                call = f"{call[:-1]}, {self.buffer_name(self.buffers.results[run])})"
            is_array = run.node.op.n_outputs != 1 or run.node.outputs[0].spec.shape.rank
            made = call if is_array else array_text(call, self.names)
        if run.node.op.n_outputs == 1 and run.writes[0] in self.number_slots:
            number = self._number_text(run, call, by_kernel)
            self.write(run, f"{self.name_of(run.writes[0])} = {number}", operands, by_kernel)
            return
        self._assign(run, made, operands, by_kernel)

    def _number_text(self, run: NodeRun, call: str, by_kernel: bool) -> str:
        """Return the text of a node's result as a number."""
        tensor = run.node.outputs[0]
        if not by_kernel and run.node.op.name in ("strided_slice", "gather") and "..." not in call:
            listed = self.elements.get(run.reads[0])
            if listed is not None:
                array = self.array_text(run.reads[0], run.node.inputs[0])
                return element_text(listed, call, array)
            return self.numbers.from_element(tensor, call)
        return self.numbers.from_array(tensor, call)

    def _call(self, run: NodeRun, operands: Sequence[str]) -> tuple[str, str]:
        """Return the call of a kernel, and the text that converts its results to arrays."""
        target = target_text(run, operands, self)
        call = call_text(run.node, operands, self.names, target)
        return call, result_text(run.node, call, self.names)

    def _compute(self, run: NodeRun, expression: Expression, is_read_once: bool) -> None:
        (slot,) = run.writes
        if is_read_once and expression.check is None and not expression.fails:
            self.settle_readers_of(slot)
            reads = set(run.reads)
            for each in run.reads:
                waiting = self.pending.pop(each, None)
                if waiting is not None:
                    reads |= waiting.reads
            self.pending[slot] = PendingNumber(expression, frozenset(reads))
            return
        operands = list(map(self.array_text, run.reads, run.node.inputs))
        for each in run.reads:
            self.pending.pop(each, None)
        name = self.name_of(slot)
        first, *rest = expression.assigned_to(name)
        self.write(run, first, operands)
        # The check reports its own error, and the operands may be overwritten by then.
        for line in rest:
            self.lines.add(line, PrintedNode(run.node, ()))

    def _move(self, move: Move) -> None:
        copied = self.in_place.moved.get(move, ())
        moves = [
            self.moved(slot, source, ".copy()" * (slot in copied))
            for slot, source in zip(move.writes, move.reads)
        ]
        for source in move.reads:
            self.pending.pop(source, None)
        for slot in (*move.writes, *filter(is_list, move.reads)):
            self.settle_readers_of(slot)
        ordered = sequentialized(moves)
        if ordered is None:
            names = ", ".join(self.name_of(each.slot) for each in moves)
            self.lines.add(f"{names} = {', '.join(each.text for each in moves)}")
            return
        for each in ordered:
            self.lines.add(f"{self.name_of(each.slot)} = {each.text}")

    def _blocks(self, blocks: BlockLoop) -> None:
        self.settle()
        print_blocks(blocks, self)

    def _switch(self, switch: Switch) -> None:
        if switch.node.op.name != "cond":
            print_switch(switch, self)
            return
        test = self.test(switch.test)
        self.pending.pop(switch.test, None)
        self.settle()
        then, orelse = switch.branches
        place = PrintedNode(switch.node, ())
        if not then and not orelse:
            return
        if not then or (ends_in_jump(orelse) and not ends_in_jump(then)):
            self.lines.add(f"if {negated(test)}:", place)
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
        if ends_in_jump(then) or ends_in_jump(orelse):
            self.block(rest)
            return
        self.lines.add("else:")
        with self.lines.indented():
            self.block(rest)

    # -- values --------------------------------------------------------------------------------

    def _expression(self, run: NodeRun) -> Expression | None:
        if not has_number_expression(run, self.numbers):
            return None
        for at in sorted(self.numbers.repeats(run.node)):
            waiting = self.pending.get(run.reads[at])
            if waiting is not None and not waiting.expression.is_cheap:
                self.settle_one(run.reads[at])
        operands = [self.number(slot, each) for slot, each in zip(run.reads, run.node.inputs)]
        return self.numbers.expression(run.node, operands)

    # -- writing -------------------------------------------------------------------------------

    def _assign(
        self, run: NodeRun, call: str, operands: Sequence[str] = (), by_kernel: bool = False
    ) -> None:
        targets = [
            self.names.fresh(slot.name) if slot in self.number_slots else self.name_of(slot)
            for slot in run.writes
        ]
        if not targets:
            self.write(run, call, operands, by_kernel)
            return
        comma = "," * (run.node.op.n_outputs != 1 and len(targets) == 1)
        self.write(run, f"{', '.join(targets)}{comma} = {call}", operands, by_kernel)
        for slot, tensor, target in zip(run.writes, run.node.outputs, targets):
            if slot in self.number_slots:
                self.lines.add(f"{self.name_of(slot)} = {self.numbers.from_array(tensor, target)}")
