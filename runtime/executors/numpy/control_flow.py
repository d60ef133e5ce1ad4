"""Loops, switches, `try` blocks, checks and parallel parts of the printed function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core.variant import boxed, unboxed
from runtime.diagnostics.traceback_lines import without_internal_frames
from runtime.errors import OpError
from runtime.executors.analysis.liveness import ends_in_jump, single_use_runs
from runtime.executors.error_locations import handler_for, prepare_caught, set_handler_context
from runtime.executors.interpreter import scalar_condition
from runtime.executors.numpy.element_access import print_elements
from runtime.executors.numpy.kernel_calls import call_text
from runtime.executors.numpy.numbers import Expression
from runtime.executors.numpy.output_targets import new_buffer
from runtime.executors.numpy.print_context import PrintContext
from runtime.executors.numpy.python_ranges import iterable_text
from runtime.executors.numpy.runtime_errors import raise_unchanged, translate_error, translated
from runtime.executors.numpy.source_writer import PrintedNode
from runtime.executors.numpy.thread_pool import side_by_side
from runtime.executors.plan.plan import (
    Block,
    Loop,
    LoopIterable,
    NodeRun,
    Parallel,
    ParallelPart,
    PlanSlot,
    Switch,
    Try,
    read_by,
    walk,
)
from runtime.graph.node import Node
from runtime.ops.effects.try_ops import TryState
from runtime.passes.node_traits import is_total


def print_loop(loop: Loop, printer: PrintContext) -> None:
    """Print a loop, after the lines that make numbers of arrays and allocate its buffers."""
    printer.settle()
    made = print_elements(loop, printer)
    for buffer in printer.buffers.of_loops.get(loop, ()):
        printer.lines.add(f"{printer.buffer_name(buffer)} = {new_buffer(buffer, printer)}")
    if loop.iterable is not None:
        _for(loop, loop.iterable, printer)
    else:
        _while(loop, printer)
    for slot in made:
        del printer.elements[slot]


def _for(loop: Loop, iterable: LoopIterable, printer: PrintContext) -> None:
    """Print a loop over a range, or over the elements of an array."""
    (slot,), texts = iterable.writes, iterable_text(iterable, printer)
    for read in iterable.reads:
        printer.pending.pop(read, None)
    printer.settle()
    printer.lines.add(f"for {printer.name_of(slot)} in {texts}:", PrintedNode(loop.node, ()))
    with printer.lines.indented():
        printer.block(loop.body)


def _while(loop: Loop, printer: PrintContext) -> None:
    place = PrintedNode(loop.node, ())
    iterations = None
    if loop.limit is not None:
        iterations = printer.names.fresh("iterations")
        printer.lines.add(f"{iterations} = 0")
    at = len(printer.lines.lines)
    printer.lines.add("while True:", place)
    printer.lines.depth += 1
    if iterations is not None:
        printer.lines.add(f"if {iterations} >= {loop.limit}:")
        printer.lines.add("    break")
        printer.lines.add(f"{iterations} += 1")
    count = len(printer.lines.lines)
    _head(loop, printer)
    if loop.test is not None:
        test = printer.test(loop.test)
        printer.pending.pop(loop.test, None)
        printer.settle()
        if len(printer.lines.lines) == count and iterations is None:
            printer.lines.lines[at].text = f"while {test.text}:"
        else:
            printer.lines.add(f"if {negated(test)}:", place)
            printer.lines.add("    break")
    body = len(printer.lines.lines)
    printer.block(loop.body)
    if len(printer.lines.lines) == body == at + 1:
        printer.lines.add("pass")
    printer.lines.depth -= 1


def _head(loop: Loop, printer: PrintContext) -> None:
    once = single_use_runs(loop.head, printer.last_uses, loop)
    for statement in loop.head:
        if isinstance(statement, NodeRun):
            printer.run(statement, statement in once)
        else:
            printer.block([statement])


def negated(test: Expression) -> str:
    """Return the text of a test's negation.

    >>> negated(Expression.of_name("less"))
    'not less'
    """
    return f"not {test.text}" if test.binds > Expression.NOT else f"not ({test.text})"


# -- switches: the last branch is taken for every number without a branch --------------------------


def print_switch(switch: Switch, printer: PrintContext) -> None:
    """Print the branches of a switch whose test is a number."""
    lines, names = printer.lines, printer.names
    index = names.fresh("index")
    test = printer.number_or_array(switch.test)
    printer.pending.pop(switch.test, None)
    printer.settle()
    wanted = printer.numbers.wrapped(switch.test.tensor, test.text)
    if switch.test not in printer.number_slots and switch.test.value is None:
        wanted = f"int({names.of_object(scalar_condition, 'decided')}({test.text}))"
    lines.add(f"{index} = {wanted}", PrintedNode(switch.node, ()))
    last = len(switch.branches) - 1
    for at, branch in enumerate(switch.branches):
        word = "else:" if at == last else f"{'el' * (at > 0)}if {index} == {at}:"
        if last == 0:
            printer.block(branch)
            continue
        lines.add(word)
        with lines.indented():
            printer.block(branch)


# -- `try`: its handlers follow the `try` statement, where no Python exception is active -----------


def print_try(tried: Try, printer: PrintContext) -> None:
    """Print the body of a `try`, the statements after it, and the handlers."""
    printer.settle()
    lines, names = printer.lines, printer.names
    caught, raised = printer.name_of(tried.caught), names.fresh("raised")
    is_seen = _is_seen(tried)
    if tried.record is not None:
        initial = ", ".join(printer.array_text(slot, slot.tensor) for slot in tried.initial)
        record_of = names.of_object(_record_of, "record_of")
        lines.add(f"{printer.name_of(tried.record)} = {record_of}({initial})")
    lines.add(f"{caught} = None")
    lines.add("try:")
    with lines.indented():
        printer.block(tried.body)
    lines.add(f"except BaseException as {raised}:")
    at = names.fresh("at") if len(tried.handlers) > 1 else ""
    with lines.indented():
        make = _handling if is_seen else _counting
        handled = names.of_object(make(tried.node), "handled")
        lines.add(f"{caught}{', ' * bool(at)}{at} = {handled}({raised})")
    if tried.orelse:
        lines.add("else:")
        with lines.indented():
            printer.block(tried.orelse)
    lines.add(f"if {caught} is not None:")
    with lines.indented():
        _print_noted(tried, printer)
        for number, handler in enumerate(tried.handlers):
            if at:
                lines.add(f"{'el' * (number > 0)}if {at} == {number}:")
                lines.depth += 1
            _print_handler(tried, handler, printer)
            lines.depth -= bool(at)
        if is_seen and not all(map(ends_in_jump, tried.handlers)):
            # The frames of the exception's traceback may include this one: a reference cycle.
            lines.add(f"{caught} = None")


def _print_noted(tried: Try, printer: PrintContext) -> None:
    """Print the statement that takes the values noted last."""
    if tried.record is None or not tried.noted:
        return
    lines, names, held = printer.lines, printer.names, printer.number_slots
    taken = [names.fresh(s.name) if s in held else printer.name_of(s) for s in tried.noted]
    noted_in = names.of_object(_noted_in, "noted_in")
    comma = "," * (len(taken) == 1)
    lines.add(f"{', '.join(taken)}{comma} = {noted_in}({printer.name_of(tried.record)})")
    for slot, name in zip(tried.noted, taken):
        if slot in held:
            number = printer.numbers.from_array(slot.tensor, name)
            lines.add(f"{printer.name_of(slot)} = {number}")


def _print_handler(tried: Try, handler: Block, printer: PrintContext) -> None:
    lines, names = printer.lines, printer.names
    if not _raises_another(handler, tried.caught):
        count = len(lines.lines)
        printer.block(handler)
        if len(lines.lines) == count:
            lines.add("pass")
        return
    lines.add("try:")
    with lines.indented():
        printer.block(handler)
    raised, raise_on = names.fresh("raised"), names.of_object(_raising(tried.node), "raise_on")
    lines.add(f"except BaseException as {raised}:")
    lines.add(f"    {raise_on}({raised}, {printer.name_of(tried.caught)})")


def _is_seen(tried: Try) -> bool:
    """Return whether a handler uses the caught exception."""
    inside = [each for handler in tried.handlers for each in walk(handler)]
    return any(tried.caught in read_by(each) for each in inside) or any(
        _raises_another(handler, tried.caught) for handler in tried.handlers
    )


def _raises_another(handler: Block, caught: PlanSlot) -> bool:
    """Return whether a handler may raise another error than the one it handles."""
    for each in walk(handler):
        if isinstance(each, Switch) and each.test.tensor.spec.shape.rank != 0:
            return True
        if isinstance(each, NodeRun) and not _is_quiet(each, caught):
            return True
    return False


def _is_quiet(run: NodeRun, caught: PlanSlot) -> bool:
    is_again = run.node.op.name == "raise_again" and run.reads[0] is caught
    return is_again or is_total(run.node)


# -- checks: `assert(%less)` as `if not i < n: ...` -----------------------------------------------


_GUARDS = frozenset(("assert", "check", "refuse"))


def print_guard(run: NodeRun, printer: PrintContext) -> bool:
    """Print a node that raises unless a scalar condition holds; return False for any other."""
    node = run.node
    if node.op.name not in _GUARDS or node.inputs[0].spec.shape.rank != 0:
        return False
    if run.reads[0].is_fixed:
        return False
    test = printer.number_or_array(run.reads[0])
    printer.pending.pop(run.reads[0], None)
    printer.lines.add(f"if {negated(test)}:", PrintedNode(node, ()))
    others = zip(run.reads[1:], node.inputs[1:])
    false = printer.names.once("false", lambda: np.array(False))
    with printer.lines.indented():
        operands = [false, *(printer.array_text(*each) for each in others)]
        printer.write(run, call_text(node, operands, printer.names), ())
    return True


# -- parallel parts, each a function of its inputs -------------------------------------------------


def print_parts(statement: Parallel, printer: PrintContext) -> None:
    """Print the parts and the call that runs them.

    def part(x, v):
        matmul = x.dot(v)
        return (matmul,)
    def part_1(x, w):
        matmul_1 = x.dot(w)
        return (matmul_1,)
    (matmul,), (matmul_1,) = side_by_side((part, x, v), (part_1, x, w))
    """
    printer.settle()
    calls = [_print_part(part, printer) for part in statement.parts]
    given = [_tuple([printer.name_of(slot) for slot in part.writes]) for part in statement.parts]
    run = printer.names.of_object(side_by_side, "side_by_side")
    printer.lines.add(f"{', '.join(given)} = {run}({', '.join(calls)})")


def _print_part(part: ParallelPart, printer: PrintContext) -> str:
    """Print the function of a part; return it with its arguments."""
    name = printer.names.fresh("part")
    reads = [printer.name_of(slot) for slot in part.reads]
    with printer.lines.function(f"def {name}({', '.join(reads)}):"):
        printer.block(part.body)
        writes = [printer.name_of(slot) for slot in part.writes]
        printer.lines.add(f"return {_tuple(writes)}")
    return _tuple([name, *reads])


def _tuple(names: Sequence[str]) -> str:
    return f"({', '.join(names)}{',' * (len(names) == 1)})"


# -- while the program runs ------------------------------------------------------------------------


def _record_of(*initial: Any) -> Any:
    return boxed(TryState(initial))


def _noted_in(record: Any) -> Any:
    return unboxed(record).values


def _handling(node: Node) -> Callable[[BaseException], Any]:
    """Return a function that maps an error to its handler's argument and index, or raises it."""
    kinds: Any = node.attrs["kinds"]

    def handled(raised: BaseException) -> Any:
        error = translate_error(raised, node)
        at = handler_for(error, kinds)
        if at is None:
            raise  # as it is; an outer handler, or `run`, translates it
        if error is not raised:
            raised.__traceback__ = without_internal_frames(raised.__traceback__)
        prepare_caught(error)
        return boxed(error) if len(kinds) == 1 else (boxed(error), at)

    return handled


def _counting(node: Node) -> Callable[[BaseException], Any]:
    """Return a function that picks the handler of an error that no handler uses, or raises it."""
    kinds: Any = node.attrs["kinds"]

    def handled(raised: BaseException) -> Any:
        error = raised if isinstance(raised, OpError) else translated(raised)
        at = handler_for(error, kinds)
        if at is None:
            raise  # as it is
        return True if len(kinds) == 1 else (True, at)

    return handled


def _raising(node: Node) -> Callable[[BaseException, Any], Any]:
    """Return a function that raises an error from a handler, with its context set."""

    def raise_on(raised: BaseException, caught: Any) -> None:
        error = translate_error(raised, node)
        set_handler_context(error, unboxed(caught))
        if error is raised:
            raise  # as it is
        raise_unchanged(error)

    return raise_on
