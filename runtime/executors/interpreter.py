"""The interpreter runs a graph node by node; it is the slow reference.

Regions run on the interpreter's own stack, not on Python's, so that recursion may be `DEEPEST`
levels deep.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from runtime.core.context import Watcher, current_watchers
from runtime.core.tensor import EagerTensor, SymbolicTensor
from runtime.core.variant import boxed, unboxed
from runtime.errors import GraphError, ShapeError
from runtime.executors.error_locations import catch, handler_for, locate, raised_during
from runtime.executors.planning import check_is_known
from runtime.graph.callee import Callee, called_graph
from runtime.graph.derived_cache import DerivedOnce
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.effects.try_ops import Record
from runtime.ops.op import Op, noted, run_kernel
from runtime.ops.python.exact_integers import exact
from runtime.passes.prune import prune

Compute: TypeAlias = "Callable[[Op, Values, Attrs], Values]"
# Runs the loops of a run under a tape; returns None for a loop that it cannot run.
Loops: TypeAlias = "Callable[[Values, Attrs, Sequence[Program]], Values | None]"

# The recursion depth beyond which RecursionError is raised.
DEEPEST = 10_000


def run(graph: Graph, inputs: Values) -> list[Any]:
    """Run `graph` and return its outputs as arrays.

    Args:
        graph: the program; only nodes that an output or an effect needs are run.
        inputs: one array per parameter, or one per input (`graph.inputs`); with parameters only,
            captured tensors and variables are taken from the graph.

    Raises:
        GraphError: the number of inputs is wrong, or a region is run without its captures.
        RecursionError: a function calls itself more than `DEEPEST` levels deep.
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
    return list(execute(program, _given(graph, program, inputs), run_kernel))


def _given(graph: Graph, program: Program, inputs: Values) -> Values:
    """Return the values of a program's inputs: parameters, and the captures it needs."""
    own = len(graph.parameters)
    if len(inputs) == own:
        captured = [_value_of(graph.captures[at].outer) for at in program.captures]
    elif len(inputs) == own + len(graph.captures):
        captured = [inputs[own + at] for at in program.captures]
    else:
        raise GraphError(f"'{graph.name}' takes {own} inputs, got {len(inputs)}")
    return [*inputs[:own], *captured]


def _run_under_tapes(graph: Graph, inputs: Values, watchers: Sequence[Watcher]) -> list[Any]:
    """Run a graph under tapes: as one step if possible, else with each op as a step."""
    calls = getattr(watchers[0], "calls", None)
    if calls is not None and graph.outer is None and len(inputs) == len(graph.parameters):
        captured = [_value_of(each.outer) for each in graph.captures]
        found: list[Any] | None = calls(watchers, graph, [*inputs, *captured])
        if found is not None:
            return found
    program = _program_of(graph)
    given = _given(graph, program, inputs)
    # The tapes record each op, so the values between ops are tensors.
    compute = _TapedOps(watchers, next(filter(None, map(_by_iterations, watchers)), None))
    results = execute(program, list(map(_tensor, given)), compute)
    return [getattr(each, "_array", each) for each in results]


def run_otherwise(
    graph: Graph, inputs: Values, change: Callable[[Program], Program], compute: Compute
) -> list[Any]:
    """Run `graph` as `run` does, but with a changed program, and without notifying the tapes.

    Args:
        graph, inputs: as for `run`.
        change: returns the program to run; it must not modify its argument.
        compute: computes each op that has no regions.
    """
    program = _program_of(graph)
    return list(execute(change(program), _given(graph, program, inputs), compute))


@dataclass(frozen=True)
class _TapedOps:
    """Computes ops and records them on tapes; `by_iterations` executes loops itself."""

    watchers: Sequence[Watcher]
    by_iterations: Loops | None

    def __call__(self, op: Op, operands: Values, attrs: Attrs) -> Values:
        inputs = list(map(_tensor, operands))
        arrays = [each._array if isinstance(each, EagerTensor) else each for each in inputs]
        return noted(self.watchers, op, inputs, attrs, run_kernel(op, arrays, attrs))


def _by_iterations(watcher: Watcher) -> Loops | None:
    loops: Loops | None = getattr(watcher, "loops", None)
    return loops


def _tensor(value: Any) -> Any:
    return EagerTensor.over(value) if isinstance(value, np.ndarray) else value


# -- programs --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One node, with the slots that it reads its operands from and writes its results to.

    `regions` are the programs that it runs: those of its regions, or the called graph's.
    """

    node: Node
    op: Op
    attrs: Attrs
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    regions: tuple[Program, ...]


@dataclass(eq=False)
class Program:
    """The needed nodes of a graph in order, over numbered slots; inputs fill the first ones.

    `captures` are the positions of the needed captures among the graph's captures. A program that
    `calls_itself` occurs among its own steps, so its fields are filled after it is created.
    """

    captures: tuple[int, ...] = ()
    calls_itself: bool = False
    slots: int = 0
    steps: list[Step] = field(default_factory=list)
    outputs: tuple[int, ...] = ()


def _assemble(graph: Graph) -> Program:
    pruned = prune(graph)
    position = {id(held.outer): at for at, held in enumerate(graph.captures)}
    captures = tuple(position[id(held.outer)] for held in pruned.captures)
    return _lay_out(pruned, Program(captures), {})


_program_of = DerivedOnce(_assemble)


def runner_of(node: Node) -> Callable[..., Values]:
    """Return a function that runs a node with regions on arrays and returns arrays.

    Executors use it for nodes that they cannot run themselves.
    """
    program = Program(slots=len(node.inputs) + len(node.outputs))
    reads = tuple(range(len(node.inputs)))
    writes = tuple(range(len(reads), program.slots))
    step = Step(node, node.op, node.attrs, reads, writes, _programs_in(node, {}))
    program.steps.append(step)
    program.outputs = writes

    def run_node(*operands: Any) -> Values:
        return execute(program, operands, run_kernel)

    return run_node


def caller_of(nodes: Sequence[Node], depth: int) -> Callable[[Values], Values]:
    """Return a function that makes a recursive call on arrays.

    Args:
        nodes: the nodes of the first calls, each inside the function of the previous node; the
            function of the last node is called.
        depth: the number of active recursive calls around this call.
    """
    made: list[Program] = []

    def call(operands: Values) -> Values:
        if not made:
            around: dict[str, Program] = {}
            for node in nodes:
                (region,) = node.regions
                program = _lay_out(region, Program((), True), around)
                around[region.name] = program
            made.append(program)
        return execute(made[0], operands, run_kernel, depth + 1)

    return call


def _lay_out(graph: Graph, program: Program, around: Mapping[str, Program]) -> Program:
    """Fill `program`; `around` maps names to the programs of the functions around it."""
    if program.calls_itself:
        around = {**around, graph.name: program}
    slots = {id(tensor): slot for slot, tensor in enumerate(graph.inputs)}
    for node in graph.nodes:
        reads = _slots_of(_read_by(node), slots)
        for tensor in node.outputs:
            slots[id(tensor)] = len(slots)
        regions = _programs_in(node, around)
        writes = _slots_of(node.outputs, slots)
        program.steps.append(Step(node, _op_of(node), node.attrs, reads, writes, regions))
    program.slots, program.outputs = len(slots), _slots_of(graph.outputs, slots)
    return program


def _op_of(node: Node) -> Op:
    """Return the op that computes a node; a result for a Python int must fit its dtype."""
    is_python_int = (
        bool(node.outputs) and node.outputs[0].weak is True and node.outputs[0].dtype.is_integer
    )
    return exact(node.op) if is_python_int else node.op


def _programs_in(node: Node, around: Mapping[str, Program]) -> tuple[Program, ...]:
    callee = node.attrs.get("callee")
    if isinstance(callee, Callee):
        return (around[callee.name],)
    if (called := called_graph(node.attrs)) is not None:
        return (_program_of(called.graph),)
    programs = [Program((), region.is_called) for region in node.regions]
    return tuple(map(_lay_out, node.regions, programs, [around] * len(programs)))


def _read_by(node: Node) -> Sequence[SymbolicTensor]:
    """Return the operands that a node needs: a called graph may not use all of its captures."""
    called = called_graph(node.attrs)
    if called is None:
        return node.inputs
    own = len(called.graph.parameters)
    needed = _program_of(called.graph).captures
    return (*node.inputs[:own], *(node.inputs[own + at] for at in needed))


def _slots_of(tensors: Iterable[SymbolicTensor], slots: Mapping[int, int]) -> tuple[int, ...]:
    return tuple([slots[id(tensor)] for tensor in tensors])


def _value_of(outer: object) -> object:
    """Return the value of a capture: an array, or the variable itself."""
    check_is_known(outer)
    return outer._array if isinstance(outer, EagerTensor) else outer


# -- execution -------------------------------------------------------------------------------------


def execute(program: Program, inputs: Values, compute: Compute, depth: int = 0) -> Values:
    """Run a program and the programs that its steps ask for, on an explicit stack.

    `depth` is the recursion depth of this call, itself included.
    """
    stack = [(program, _steps_of(program, inputs, compute))]
    given: Any = None
    error: RegionError | None = None
    while stack:
        program, running = stack[-1]
        try:
            asked, operands = running.send(given) if error is None else running.throw(error)
            given, error = None, None
            if depth >= DEEPEST and asked.calls_itself:
                error = RegionError(RecursionError("maximum recursion depth exceeded"))
                continue
            depth += asked.calls_itself
            stack.append((asked, _steps_of(asked, operands, compute)))
            # The error's traceback holds this frame, which must not keep the operands alive.
            del operands
        except StopIteration as end:
            given, error = end.value, None
            depth -= stack.pop()[0].calls_itself
        except RegionError as raised:
            given, error = None, raised
            depth -= stack.pop()[0].calls_itself
    if error is not None:
        raise error.error
    return given


def _steps_of(program: Program, inputs: Values, compute: Compute) -> Running:
    values = [*inputs, *[None] * (program.slots - len(inputs))]
    step = None
    try:
        for step in program.steps:
            operands = [values[slot] for slot in step.reads]
            if step.regions:
                results = _run_by_iterations(step, operands, compute)
                if results is None:
                    run_regions = REGION_OPS[step.op.name]
                    results = yield from run_regions(operands, step.attrs, step.regions)
            else:
                results = compute(step.op, operands, step.attrs)
            for slot, result in zip(step.writes, results):
                values[slot] = result
    except RegionError as raised:
        _locate(raised.error, step)
        raise
    except GeneratorExit:
        raise
    except BaseException as error:
        _locate(error, step)
        raise RegionError(error) from None
    return [values[slot] for slot in program.outputs]


def _run_by_iterations(step: Step, operands: Values, compute: Compute) -> Values | None:
    loops = getattr(compute, "by_iterations", None)
    if loops is None or step.op.name != "while_loop":
        return None
    found: Values | None = loops(list(map(_tensor, operands)), step.attrs, step.regions)
    return found


def _locate(error: BaseException, step: Step | None) -> None:
    if step is not None:
        locate(error, step.node)


# -- regions: a generator for each op yields the programs to run, and receives their results -------


Values: TypeAlias = Sequence[Any]
Attrs: TypeAlias = Mapping[str, Any]
Running: TypeAlias = "Generator[tuple[Program, Values], Values, Values]"


class RegionError(Exception):
    """Wraps an error on its way out of a region, since a StopIteration would end a generator."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(error)
        self.error = error


def decided(value: Any) -> Any:
    """Return the value that selects a path; ShapeError if it is not a scalar."""
    if value.ndim:
        raise ShapeError(f"what chooses a branch must be one value, not of shape {value.shape}")
    return value


def _run_cond(operands: Values, attrs: Attrs, regions: Sequence[Program]) -> Running:
    then, orelse = regions
    return (yield then if decided(operands[0]) else orelse, operands[1:])


def _run_while(operands: Values, attrs: Attrs, regions: Sequence[Program]) -> Running:
    test, body = regions
    count, limit = attrs["variables"], attrs["maximum_iterations"]
    state, captured = operands[:count], operands[count:]
    iterations = 0
    while (limit is None or iterations < limit) and decided((yield test, [*state, *captured])[0]):
        state = yield body, [*state, *captured]
        iterations += 1
    return state


def _run_switch(operands: Values, attrs: Attrs, regions: Sequence[Program]) -> Running:
    index = int(decided(operands[0]))
    chosen = regions[index] if 0 <= index < len(regions) else regions[-1]
    return (yield chosen, operands[1:])


def _run_try(operands: Values, attrs: Attrs, regions: Sequence[Program]) -> Running:
    body, *handlers = regions
    noted = attrs["noted"]
    record, captured = Record(operands[:noted]), operands[noted:]
    try:
        return (yield body, [boxed(record), *captured])
    except RegionError as raised:
        at = None if record.left else handler_for(raised.error, attrs["kinds"])
        if at is None:
            raise
        error = raised.error
    catch(error)
    try:
        return (yield handlers[at], [boxed(error), *record.values, *captured])
    except RegionError as raised:
        raised_during(raised.error, error)
        raise


def _run_note(operands: Values, attrs: Attrs, regions: Sequence[Program]) -> Running:
    record, *values = operands
    box: Any = record
    unboxed(getattr(box, "_array", box)).note(attrs["noted"].places, (yield regions[0], values))
    return ()


def _run_function(operands: Values, attrs: Attrs, regions: Sequence[Program]) -> Running:
    return (yield regions[0], operands)


REGION_OPS: dict[str, Callable[[Values, Attrs, Sequence[Program]], Running]] = {
    "cond": _run_cond,
    "while_loop": _run_while,
    "switch_case": _run_switch,
    "try_except": _run_try,
    "note_state": _run_note,
    "recursion": _run_function,
    "call": _run_function,
    "function_call": _run_function,
}
