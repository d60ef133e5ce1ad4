"""The interpreter runs a graph node by node; it is the slow reference.

Regions run on the interpreter's own stack, not on Python's, so that recursion may be `MAX_DEPTH`
levels deep.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from runtime.core.context import Watcher, current_watchers
from runtime.core.tensor import EagerTensor, SymbolicTensor
from runtime.core.variant import boxed, unboxed
from runtime.errors import GraphError, ShapeError
from runtime.executors.error_locations import (
    handler_for,
    locate,
    prepare_caught,
    set_handler_context,
)
from runtime.executors.plan.plan_builder import check_has_value
from runtime.graph.callee import RecursiveRegion, called_graph
from runtime.graph.derived_cache import DerivedCache
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.effects.try_ops import TryState
from runtime.ops.op import Op, results_on_tapes, run_kernel
from runtime.passes.node_traits import kernel_op
from runtime.passes.prune import prune

Compute: TypeAlias = "Callable[[Op, Values, Attrs], Values]"
# Runs the loops of a run under a tape; returns None for a loop that it cannot run.
Loops: TypeAlias = "Callable[[Values, Attrs, Sequence[InstructionList]], Values | None]"

# The recursion depth beyond which RecursionError is raised.
MAX_DEPTH = 10_000


def run(graph: Graph, inputs: Values) -> list[Any]:
    """Run `graph` and return its outputs as arrays.

    Args:
        graph: the program; only nodes that an output or an effect needs are run.
        inputs: one array per parameter, or one per input (`graph.inputs`); with parameters only,
            captured tensors and variables are taken from the graph.

    Raises:
        GraphError: the number of inputs is wrong, or a region is run without its captures.
        RecursionError: a function calls itself more than `MAX_DEPTH` levels deep.
        Exception: the error of a node, with the user's line of the node added.

    Example:
        >>> import numpy as np, runtime as rt
        >>> graph = rt.Graph("double")
        >>> x = graph.add_input(rt.TensorSpec((2,), rt.int32), "x")
        >>> with graph.recording():
        ...     y = x + x
        >>> graph.set_outputs([y])
        >>> run(graph, [np.array([1, 2], np.int32)])
        [array([2, 4], dtype=int32)]
    """
    watchers = current_watchers()
    if watchers:
        return _run_under_tapes(graph, inputs, watchers)
    program = _program_of(graph)
    return list(execute(program, _input_values(graph, program, inputs), run_kernel))


def _input_values(graph: Graph, program: InstructionList, inputs: Values) -> Values:
    """Return the values of a program's inputs: the parameters, and the captures that it needs."""
    n_parameters = len(graph.parameters)
    if len(inputs) == n_parameters:
        captured = [_value_of(graph.captures[at].outer) for at in program.captures]
    elif len(inputs) == n_parameters + len(graph.captures):
        captured = [inputs[n_parameters + at] for at in program.captures]
    else:
        raise GraphError(f"'{graph.name}' takes {n_parameters} inputs, got {len(inputs)}")
    return [*inputs[:n_parameters], *captured]


def _run_under_tapes(graph: Graph, inputs: Values, watchers: Sequence[Watcher]) -> list[Any]:
    """Run a graph under tapes: as one tape step if possible, else with one tape step per op."""
    run_call = getattr(watchers[0], "call_runner", None)
    if run_call is not None and graph.outer is None and len(inputs) == len(graph.parameters):
        captured = [_value_of(each.outer) for each in graph.captures]
        results: list[Any] | None = run_call(watchers, graph, [*inputs, *captured])
        if results is not None:
            return results
    program = _program_of(graph)
    values = _input_values(graph, program, inputs)
    # The tapes record each op, so the values between ops are tensors.
    compute = _TapedOps(watchers, next(filter(None, map(_loop_runner, watchers)), None))
    outputs = execute(program, list(map(_tensor, values)), compute)
    return [getattr(each, "_array", each) for each in outputs]


def run_program_of(
    graph: Graph,
    inputs: Values,
    change: Callable[[InstructionList], InstructionList],
    compute: Compute,
) -> list[Any]:
    """Run `graph` as `run` does, but with a changed program, and without notifying the tapes.

    Args:
        graph: the program, as for `run`.
        inputs: the values, as for `run`.
        change: returns the program to run; it must not modify its argument.
        compute: computes each op that has no regions.
    """
    program = _program_of(graph)
    return list(execute(change(program), _input_values(graph, program, inputs), compute))


@dataclass(eq=False, repr=False)
class _TapedOps:
    """Computes ops and records them on tapes; `loop_runner` executes loops itself."""

    watchers: Sequence[Watcher]
    loop_runner: Loops | None

    def __call__(self, op: Op, operands: Values, attrs: Attrs) -> Values:
        inputs = list(map(_tensor, operands))
        arrays = [each._array if isinstance(each, EagerTensor) else each for each in inputs]
        return results_on_tapes(self.watchers, op, inputs, attrs, run_kernel(op, arrays, attrs))


def _loop_runner(watcher: Watcher) -> Loops | None:
    runner: Loops | None = getattr(watcher, "loop_runner", None)
    return runner


def _tensor(value: Any) -> Any:
    return EagerTensor.over(value) if isinstance(value, np.ndarray) else value


# -- programs --------------------------------------------------------------------------------------


class Instruction(NamedTuple):
    """One node, with the numbers of the slots that it reads and writes.

    `regions` are the programs of the node's regions, or of the graph that it calls.
    """

    node: Node
    op: Op
    attrs: Attrs
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    regions: tuple[InstructionList, ...]


@dataclass(eq=False, repr=False)
class InstructionList:
    """The needed nodes of a graph in order, over numbered slots; the first slots are the inputs.

    `captures` are the positions of the needed captures among the graph's captures. A program that
    `calls_itself` is among the regions of its instructions, so its fields are set after creation.
    """

    captures: tuple[int, ...] = ()
    calls_itself: bool = False
    slots: int = 0
    instructions: list[Instruction] = field(default_factory=list)
    outputs: tuple[int, ...] = ()


def _make_program(graph: Graph) -> InstructionList:
    pruned = prune(graph)
    position = {id(capture.outer): at for at, capture in enumerate(graph.captures)}
    captures = tuple(position[id(capture.outer)] for capture in pruned.captures)
    return _fill_program(pruned, InstructionList(captures), {})


_program_of = DerivedCache(_make_program)


def runner_of(node: Node) -> Callable[..., Values]:
    """Return a function that runs a node with regions on arrays and returns arrays.

    Executors use it for nodes that they cannot run themselves.
    """
    program = InstructionList(slots=len(node.inputs) + len(node.outputs))
    reads = tuple(range(len(node.inputs)))
    writes = tuple(range(len(reads), program.slots))
    instruction = Instruction(node, node.op, node.attrs, reads, writes, _programs_in(node, {}))
    program.instructions.append(instruction)
    program.outputs = writes

    def run_node(*operands: Any) -> Values:
        return execute(program, operands, run_kernel)

    return run_node


def caller_of(nodes: Sequence[Node], depth: int) -> Callable[[Values], Values]:
    """Return a function that makes a recursive call on arrays.

    Args:
        nodes: the nodes of the first calls, each inside the function of the previous node; the
            function of the last node is called.
        depth: the number of active recursive calls enclosing this call.
    """
    made: list[InstructionList] = []

    def call(operands: Values) -> Values:
        if not made:
            enclosing: dict[str, InstructionList] = {}
            for node in nodes:
                (region,) = node.regions
                program = _fill_program(region, InstructionList((), True), enclosing)
                enclosing[region.name] = program
            made.append(program)
        return execute(made[0], operands, run_kernel, depth + 1)

    return call


def _fill_program(
    graph: Graph, program: InstructionList, enclosing: Mapping[str, InstructionList]
) -> InstructionList:
    """Fill `program`; `enclosing` maps the names of the recursive functions around to programs."""
    if program.calls_itself:
        enclosing = {**enclosing, graph.name: program}
    slots = {id(tensor): slot for slot, tensor in enumerate(graph.inputs)}
    for node in graph.nodes:
        reads = _slots_of(_read_by(node), slots)
        for tensor in node.outputs:
            slots[id(tensor)] = len(slots)
        regions = _programs_in(node, enclosing)
        writes = _slots_of(node.outputs, slots)
        program.instructions.append(
            Instruction(node, kernel_op(node), node.attrs, reads, writes, regions)
        )
    program.slots, program.outputs = len(slots), _slots_of(graph.outputs, slots)
    return program


def _programs_in(
    node: Node, enclosing: Mapping[str, InstructionList]
) -> tuple[InstructionList, ...]:
    callee = node.attrs.get("callee")
    if isinstance(callee, RecursiveRegion):
        return (enclosing[callee.name],)
    if (called := called_graph(node.attrs)) is not None:
        return (_program_of(called.graph),)
    programs = [InstructionList((), region.is_called) for region in node.regions]
    return tuple(map(_fill_program, node.regions, programs, [enclosing] * len(programs)))


def _read_by(node: Node) -> Sequence[SymbolicTensor]:
    """Return the operands that a node needs: a called graph may not use all of its captures."""
    called = called_graph(node.attrs)
    if called is None:
        return node.inputs
    n_parameters = len(called.graph.parameters)
    needed = _program_of(called.graph).captures
    return (*node.inputs[:n_parameters], *(node.inputs[n_parameters + at] for at in needed))


def _slots_of(tensors: Iterable[SymbolicTensor], slots: Mapping[int, int]) -> tuple[int, ...]:
    return tuple([slots[id(tensor)] for tensor in tensors])


def _value_of(outer: object) -> object:
    """Return the value of a capture: an array, or the variable itself."""
    check_has_value(outer)
    return outer._array if isinstance(outer, EagerTensor) else outer


# -- execution -------------------------------------------------------------------------------------


def execute(program: InstructionList, inputs: Values, compute: Compute, depth: int = 0) -> Values:
    """Run a program and the programs of its regions, on an explicit stack.

    `depth` is the recursion depth of this call, itself included.
    """
    stack = [(program, _run_instructions(program, inputs, compute))]
    results: Any = None
    error: RegionError | None = None
    while stack:
        program, running = stack[-1]
        try:
            requested, operands = running.send(results) if error is None else running.throw(error)
            results, error = None, None
            if depth >= MAX_DEPTH and requested.calls_itself:
                error = RegionError(RecursionError("maximum recursion depth exceeded"))
                continue
            depth += requested.calls_itself
            stack.append((requested, _run_instructions(requested, operands, compute)))
            # The error's traceback holds this frame, which must not keep the operands alive.
            del operands
        except StopIteration as end:
            results, error = end.value, None
            depth -= stack.pop()[0].calls_itself
        except RegionError as raised:
            results, error = None, raised
            depth -= stack.pop()[0].calls_itself
    if error is not None:
        raise error.error
    return results


def _run_instructions(program: InstructionList, inputs: Values, compute: Compute) -> Running:
    values = [*inputs, *[None] * (program.slots - len(inputs))]
    instruction = None
    try:
        for instruction in program.instructions:
            operands = [values[slot] for slot in instruction.reads]
            if instruction.regions:
                results = _run_with_loop_runner(instruction, operands, compute)
                if results is None:
                    run_regions = REGION_OPS[instruction.op.name]
                    results = yield from run_regions(
                        operands, instruction.attrs, instruction.regions
                    )
            else:
                results = compute(instruction.op, operands, instruction.attrs)
            for slot, result in zip(instruction.writes, results):
                values[slot] = result
    except RegionError as raised:
        _locate(raised.error, instruction)
        raise
    except GeneratorExit:
        raise
    except BaseException as error:
        _locate(error, instruction)
        raise RegionError(error) from None
    return [values[slot] for slot in program.outputs]


def _run_with_loop_runner(
    instruction: Instruction, operands: Values, compute: Compute
) -> Values | None:
    loops = getattr(compute, "loop_runner", None)
    if loops is None or instruction.op.name != "while_loop":
        return None
    found: Values | None = loops(
        list(map(_tensor, operands)), instruction.attrs, instruction.regions
    )
    return found


def _locate(error: BaseException, instruction: Instruction | None) -> None:
    if instruction is not None:
        locate(error, instruction.node)


# -- ops with regions: a generator per op yields the programs to run, and receives their results ---


Values: TypeAlias = Sequence[Any]
Attrs: TypeAlias = Mapping[str, Any]
Running: TypeAlias = "Generator[tuple[InstructionList, Values], Values, Values]"


class RegionError(Exception):
    """Wraps an error on its way out of a region, since a StopIteration would end a generator."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(error)
        self.error = error


def scalar_condition(value: Any) -> Any:
    """Return the value of a test or a branch index; ShapeError if it is not a scalar."""
    if value.ndim:
        raise ShapeError(
            f"the condition or index of a branch must be a scalar, not of shape {value.shape}"
        )
    return value


def _run_cond(operands: Values, attrs: Attrs, regions: Sequence[InstructionList]) -> Running:
    then, orelse = regions
    return (yield then if scalar_condition(operands[0]) else orelse, operands[1:])


def _run_while(operands: Values, attrs: Attrs, regions: Sequence[InstructionList]) -> Running:
    test, body = regions
    count, limit = attrs["variables"], attrs["maximum_iterations"]
    state, captured = operands[:count], operands[count:]
    iterations = 0
    while (limit is None or iterations < limit) and scalar_condition(
        (yield test, [*state, *captured])[0]
    ):
        state = yield body, [*state, *captured]
        iterations += 1
    return state


def _run_switch(operands: Values, attrs: Attrs, regions: Sequence[InstructionList]) -> Running:
    index = int(scalar_condition(operands[0]))
    chosen = regions[index] if 0 <= index < len(regions) else regions[-1]
    return (yield chosen, operands[1:])


def _run_try(operands: Values, attrs: Attrs, regions: Sequence[InstructionList]) -> Running:
    body, *handlers = regions
    n_noted = attrs["noted"]
    record, captured = TryState(operands[:n_noted]), operands[n_noted:]
    try:
        return (yield body, [boxed(record), *captured])
    except RegionError as raised:
        at = None if record.left else handler_for(raised.error, attrs["kinds"])
        if at is None:
            raise
        error = raised.error
    prepare_caught(error)
    try:
        return (yield handlers[at], [boxed(error), *record.values, *captured])
    except RegionError as raised:
        set_handler_context(raised.error, error)
        raise


def _run_note(operands: Values, attrs: Attrs, regions: Sequence[InstructionList]) -> Running:
    record, *values = operands
    box: Any = record
    unboxed(getattr(box, "_array", box)).note(attrs["noted"].places, (yield regions[0], values))
    return ()


def _run_function(operands: Values, attrs: Attrs, regions: Sequence[InstructionList]) -> Running:
    return (yield regions[0], operands)


REGION_OPS: dict[str, Callable[[Values, Attrs, Sequence[InstructionList]], Running]] = {
    "cond": _run_cond,
    "while_loop": _run_while,
    "switch_case": _run_switch,
    "try_except": _run_try,
    "note_state": _run_note,
    "recursion": _run_function,
    "call": _run_function,
    "function_call": _run_function,
}
