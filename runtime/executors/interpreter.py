"""The interpreter: runs a graph node by node, the slow and obvious reference."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from runtime.errors import GraphError
from runtime.executors.locate import locate
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.op import Op, run_kernel
from runtime.passes.prune import prune
from runtime.tensor import EagerTensor, SymbolicTensor

Values: TypeAlias = Sequence[Any]
Attrs: TypeAlias = Mapping[str, Any]


def run(graph: Graph, inputs: Values) -> list[Any]:
    """Run `graph` and return its outputs as arrays.

    Args:
        graph: the program; only nodes that an output or an effect needs are run.
        inputs: one array per parameter, or one per input (`graph.inputs`); with parameters only,
            captured tensors and variables are taken from the graph.

    Raises:
        GraphError: the number of inputs is wrong, or a region is run without its captures.
        Exception: what a node raised, with the user's line of the node added.

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
    program = _program_of(graph)
    own = len(graph.parameters)
    if len(inputs) == own:
        captured = [_value_of(graph.captures[at].outer) for at in program.captures]
    elif len(inputs) == own + len(graph.captures):
        captured = [inputs[own + at] for at in program.captures]
    else:
        raise GraphError(f"'{graph.name}' takes {own} inputs, got {len(inputs)}")
    return _execute(program, [*inputs[:own], *captured])


# -- programs --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One node, with the slots its operands are read from and its results are put into."""

    node: Node
    op: Op
    attrs: Attrs
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    regions: tuple[Program, ...]


@dataclass(frozen=True)
class Program:
    """The needed nodes of a graph in order, over numbered slots; inputs fill the first ones.

    `captures` are the positions, among the captures of the graph, of those that are needed.
    """

    slots: int
    captures: tuple[int, ...]
    steps: tuple[Step, ...]
    outputs: tuple[int, ...]


_programs: WeakKeyDictionary[Graph, tuple[object, Program]] = WeakKeyDictionary()


def _program_of(graph: Graph) -> Program:
    """Return the program of `graph`, made anew when the graph has grown since."""
    version = (len(graph.nodes), len(graph.parameters), tuple(map(id, graph.outputs)))
    known = _programs.get(graph)
    if known is None or known[0] != version:
        known = version, _assemble(graph)
        _programs[graph] = known
    return known[1]


def _assemble(graph: Graph) -> Program:
    pruned = prune(graph)
    position = {id(held.outer): at for at, held in enumerate(graph.captures)}
    return _lay_out(pruned, tuple(position[id(held.outer)] for held in pruned.captures))


def _lay_out(graph: Graph, captures: tuple[int, ...]) -> Program:
    slots = {id(tensor): slot for slot, tensor in enumerate(graph.inputs)}
    steps = []
    for node in graph.nodes:
        reads = _slots_of(node.inputs, slots)
        for tensor in node.outputs:
            slots[id(tensor)] = len(slots)
        regions = tuple(_lay_out(region, ()) for region in node.regions)
        writes = _slots_of(node.outputs, slots)
        steps.append(Step(node, node.op, node.attrs, reads, writes, regions))
    return Program(len(slots), captures, tuple(steps), _slots_of(graph.outputs, slots))


def _slots_of(tensors: Iterable[SymbolicTensor], slots: Mapping[int, int]) -> tuple[int, ...]:
    return tuple([slots[id(tensor)] for tensor in tensors])


def _value_of(outer: object) -> object:
    """Return what goes into the slot of a capture: an array, or a variable itself."""
    if isinstance(outer, SymbolicTensor):
        raise GraphError(f"a region needs a value for {outer}, captured from '{outer.graph.name}'")
    return outer._array if isinstance(outer, EagerTensor) else outer


# -- execution -------------------------------------------------------------------------------------


def _execute(program: Program, inputs: Values) -> list[Any]:
    values = [*inputs, *[None] * (program.slots - len(inputs))]
    step = None
    try:
        for step in program.steps:
            operands = [values[slot] for slot in step.reads]
            if step.regions:
                results = _REGION_OPS[step.op.name](operands, step.attrs, step.regions)
            else:
                results = run_kernel(step.op, operands, step.attrs)
            for slot, result in zip(step.writes, results):
                values[slot] = result
    except Exception as error:
        if step is not None:
            locate(error, step.node)
        raise
    return [values[slot] for slot in program.outputs]


def _run_cond(operands: Values, attrs: Attrs, regions: Sequence[Program]) -> Values:
    then, orelse = regions
    if operands[0]:
        return _execute(then, operands[1:])
    return _execute(orelse, operands[1:])


def _run_while(operands: Values, attrs: Attrs, regions: Sequence[Program]) -> Values:
    test, body = regions
    count, limit = attrs["variables"], attrs["maximum_iterations"]
    state, captured = operands[:count], operands[count:]
    turns = 0
    while (limit is None or turns < limit) and _execute(test, [*state, *captured])[0]:
        state = _execute(body, [*state, *captured])
        turns += 1
    return state


def _run_switch(operands: Values, attrs: Attrs, regions: Sequence[Program]) -> Values:
    index = int(operands[0])
    chosen = regions[index] if 0 <= index < len(regions) else regions[-1]
    return _execute(chosen, operands[1:])


_REGION_OPS: dict[str, Callable[[Values, Attrs, Sequence[Program]], Values]] = {
    "cond": _run_cond,
    "while_loop": _run_while,
    "switch_case": _run_switch,
}
