"""Builds the plan of a graph and its regions.

    try_except(%xs, %i) { try: strided_slice(%xs, %i)        try: ... = strided_slice(xs, i)
                          except IndexError(%caught): 0 }    except IndexError: ... = 0

The values that a `try` body notes for its handlers (`note_state`) are moved to slots that the
handlers read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from runtime.core.array_value import ArrayValue
from runtime.core.tensor import SymbolicTensor
from runtime.errors import GraphError
from runtime.executors.plan.plan import (
    Block,
    Loop,
    Move,
    NodeRun,
    Plan,
    PlanSlot,
    Return,
    Statement,
    Switch,
    Try,
)
from runtime.graph.graph import Graph
from runtime.graph.node import Node

# The greatest depth of regions that become statements. Python limits nested loops to twenty and
# nested blocks to a hundred; a loop or a `try` counts as four switches.
MAX_DEPTH = 60
_LOOP_DEPTH = 4


class _Record(PlanSlot):
    """Stands for the record of a `try` whose notes are plain moves.

    Attributes:
        noted: the slots that the handlers read.
        initial: the slots with their values before anything is noted.
    """

    __slots__ = ("initial", "noted")

    def __init__(
        self, tensor: SymbolicTensor, noted: Sequence[PlanSlot], initial: Sequence[PlanSlot]
    ):
        super().__init__("record", tensor)
        self.noted, self.initial = tuple(noted), tuple(initial)


def build_plan(graph: Graph, takes_captures: bool = False) -> Plan:
    """Return the plan of a graph whose nodes must all run.

    Args:
        graph: the graph.
        takes_captures: whether the plan takes captures as additional parameters.

    Raises:
        GraphError: the graph is a region, whose captures are values of the outer graph, and
            `takes_captures` is False.

    Example:
        >>> import autograph.runtime as rt
        >>> graph = rt.Graph("double")
        >>> x = graph.add_input(rt.TensorSpec((2,), rt.int32), "x")
        >>> with graph.recording():
        ...     y = x + x
        >>> graph.set_outputs([y])
        >>> [type(each).__name__ for each in build_plan(graph).body]
        ['NodeRun', 'Return']
    """
    slots: dict[int, PlanSlot] = {}
    parameters = tuple([_slot(tensor, slots) for tensor in graph.parameters])
    captured = tuple([_slot(capture.inner, slots) for capture in graph.captures])
    if takes_captures:
        parameters += captured
    else:
        for slot, capture in zip(captured, graph.captures):
            check_has_value(capture.outer)
            slot.outer = capture.outer
    body = _plan_block(graph.nodes, slots, 0)
    body = _ended_by(body, Return(_slots_of(graph.outputs, slots)))
    return Plan(graph.name, parameters, body)


def _slot(tensor: SymbolicTensor, slots: dict[int, PlanSlot]) -> PlanSlot:
    node = tensor.node
    name = node.name if len(node.outputs) < 2 else f"{node.name}_{tensor.index}"
    slots[id(tensor)] = slot = PlanSlot(name, tensor)
    return slot


def _slots_of(
    tensors: Sequence[SymbolicTensor], slots: Mapping[int, PlanSlot]
) -> tuple[PlanSlot, ...]:
    return tuple([slots[id(tensor)] for tensor in tensors])


def _plan_block(nodes: Iterable[Node], slots: dict[int, PlanSlot], depth: int) -> Block:
    """Return the statements for nodes, and add the slots of their outputs to `slots`.

    A node whose regions are nested too deep becomes a single Run.
    """
    block: Block = []
    for node in nodes:
        planner = _PLANNERS.get(node.op.name)
        if planner is None or (node.regions and depth >= MAX_DEPTH):
            _plan_node(node, slots, block)
        else:
            planner(node, slots, block, depth)
    return block


def _ended_by(block: Block, *end: Statement) -> Block:
    """Return a block with its final statements; without them if it always raises before."""
    for at, each in enumerate(block):
        if isinstance(each, NodeRun) and each.node.op.name in ("raise", "raise_again"):
            return [*block[: at + 1], Return((), is_reachable=False)]
    return [*block, *end]


def _plan_node(node: Node, slots: dict[int, PlanSlot], block: Block) -> None:
    """Add a Run for a node; its regions, if any, are run as a whole."""
    reads = _slots_of(node.inputs, slots)
    block.append(NodeRun(node, reads, tuple([_slot(tensor, slots) for tensor in node.outputs])))


def _plan_constant(node: Node, slots: dict[int, PlanSlot], block: Block, depth: int) -> None:
    value = node.attrs["value"]
    assert isinstance(value, ArrayValue)
    _slot(node.outputs[0], slots).value = value.array


def _plan_identity(node: Node, slots: dict[int, PlanSlot], block: Block, depth: int) -> None:
    slots[id(node.outputs[0])] = slots[id(node.inputs[0])]


def _plan_switch(node: Node, slots: dict[int, PlanSlot], block: Block, depth: int) -> None:
    results = tuple([_slot(tensor, slots) for tensor in node.outputs])
    test, *captured = _slots_of(node.inputs, slots)
    branches = []
    for region in node.regions:
        region_slots = _capture_slots(region, captured)
        branch = _plan_block(region.nodes, region_slots, depth + 1)
        end = Move(results, _slots_of(region.outputs, region_slots))
        branches.append(_ended_by(branch, end))
    block.append(Switch(node, test, tuple(branches)))


def _plan_loop(node: Node, slots: dict[int, PlanSlot], block: Block, depth: int) -> None:
    test, body = node.regions
    count = len(body.parameters)
    variables = tuple([PlanSlot(each.node.name, each) for each in body.parameters])
    operands = _slots_of(node.inputs, slots)
    slots.update(zip(map(id, node.outputs), variables))
    block.append(Move(variables, operands[:count]))
    test_slots = _capture_slots(test, operands[count:])
    test_slots.update(zip(map(id, test.parameters), variables))
    body_slots = _capture_slots(body, operands[count:])
    body_slots.update(zip(map(id, body.parameters), variables))
    head = _plan_block(test.nodes, test_slots, depth + _LOOP_DEPTH)
    iteration = _plan_block(body.nodes, body_slots, depth + _LOOP_DEPTH)
    iteration = _ended_by(iteration, Move(variables, _slots_of(body.outputs, body_slots)))
    exits: Any = node.attrs.get("exits", ())
    flags = tuple([variables[at] for at, _ in exits])
    limit: Any = node.attrs.get("maximum_iterations")
    tested = test_slots[id(test.outputs[0])]
    block.append(Loop(node, variables, flags, head, tested, iteration, limit))


def _plan_try(node: Node, slots: dict[int, PlanSlot], block: Block, depth: int) -> None:
    body, *handlers = node.regions
    noted: Any = node.attrs["noted"]
    if not _can_be_statement(node, depth):
        _plan_node(node, slots, block)
        return
    operands = _slots_of(node.inputs, slots)
    initial, captured = operands[:noted], operands[noted:]
    results = tuple([_slot(tensor, slots) for tensor in node.outputs])
    noted_slots = [PlanSlot(each.node.name, each) for each in handlers[0].inputs[1 : 1 + noted]]
    body_slots = _capture_slots(body, captured)
    record, caught = body.parameters[0], PlanSlot("caught", handlers[0].parameters[0])
    head: tuple[PlanSlot | None, tuple[PlanSlot, ...], tuple[PlanSlot, ...]] = None, (), ()
    if _only_notes(body, record, is_body=True):
        body_slots[id(record)] = _Record(record, noted_slots, initial)
        if noted_slots:
            block.append(Move(tuple(noted_slots), initial))
    else:
        body_slots[id(record)] = PlanSlot("record", record)
        head = body_slots[id(record)], initial, tuple(noted_slots)
    at = next((n for n, e in enumerate(body.nodes) if e.op.name == "leave_try"), len(body.nodes))
    tried = _plan_block(body.nodes[:at], body_slots, depth + _LOOP_DEPTH)
    rest = _plan_block(body.nodes[at:], body_slots, depth + _LOOP_DEPTH)
    end = [Move(results, _slots_of(body.outputs, body_slots))]
    has_else = at < len(body.nodes)
    tried = _ended_by(tried, *([] if has_else else end))
    rest = _ended_by(rest, *end) if has_else else []
    blocks = []
    for region in handlers:
        region_slots = _capture_slots(region, captured)
        region_slots.update(zip(map(id, region.parameters), (caught, *noted_slots)))
        handler = _plan_block(region.nodes, region_slots, depth + _LOOP_DEPTH)
        blocks.append(_ended_by(handler, Move(results, _slots_of(region.outputs, region_slots))))
    block.append(Try(node, caught, tried, rest, tuple(blocks), *head))


def _plan_note(node: Node, slots: dict[int, PlanSlot], block: Block, depth: int) -> None:
    record, *values = _slots_of(node.inputs, slots)
    tensors: Sequence[SymbolicTensor] = node.inputs[1:]
    for region in node.regions:  # The region, if any, converts the values.
        region_slots = dict(zip(map(id, region.inputs), values))
        block += _plan_block(region.nodes, region_slots, depth + 1)
        values, tensors = list(_slots_of(region.outputs, region_slots)), region.outputs
    if not isinstance(record, _Record):
        inputs = (node.inputs[0], *tensors)
        note = Node(node.id, node.name, node.op, inputs, node.attrs, (), node.origin, node.effect)
        block.append(NodeRun(note, (record, *values), ()))
        return
    noted: Any = node.attrs["noted"]
    found = dict(zip(noted.places, values))
    if record.noted:
        reads = [found.get(at, before) for at, before in enumerate(record.initial)]
        block.append(Move(record.noted, tuple(reads)))


def _plan_leave(node: Node, slots: dict[int, PlanSlot], block: Block, depth: int) -> None:
    if not isinstance(slots[id(node.inputs[0])], _Record):
        _plan_node(node, slots, block)


def _can_be_statement(node: Node, depth: int) -> bool:
    """Return whether a `try` can be a statement, as all nodes that use its record then can, too."""
    body, *handlers = node.regions
    level, levels = [node], 0
    while level:
        if depth + _LOOP_DEPTH * levels >= MAX_DEPTH:
            return False
        level = [inner for each in level for region in each.regions for inner in region.nodes]
        levels += 1
    return bool(handlers) and _leaves_own_try(body, body.parameters[0])


def _leaves_own_try(region: Graph, record: SymbolicTensor | None) -> bool:
    """Return whether each `leave_try` in a region belongs to the `try` whose body it is in."""
    for node in region.nodes:
        if node.op.name == "leave_try" and node.inputs[0] is not record:
            return False
        for at, inner in enumerate(node.regions):
            is_tried = node.op.name == "try_except" and at == 0
            if not _leaves_own_try(inner, inner.parameters[0] if is_tried else None):
                return False
    return True


def _only_notes(region: Graph, record: SymbolicTensor, is_body: bool = False) -> bool:
    """Return whether only `note_state` nodes, and the body's `leave_try`, use a `try`'s record."""
    for node in region.nodes:
        at = [place for place, each in enumerate(node.inputs) if each is record]
        if not at:
            continue
        if node.op.name == "leave_try" and is_body:
            continue
        if node.op.name == "note_state" and at == [0]:
            continue
        n_own = len(node.inputs) - len(node.regions[0].captures) if node.regions else 0
        if node.op.name not in _PLANNERS or not node.regions or at[0] < n_own:
            return False
        inner = [
            (each, each.captures[place - n_own].inner) for each in node.regions for place in at
        ]
        if not all(_only_notes(*pair) for pair in inner):
            return False
    return all(each is not record for each in region.outputs)


def _capture_slots(region: Graph, captured: Sequence[PlanSlot]) -> dict[int, PlanSlot]:
    """Return the slots for the captures of a region."""
    return dict(zip((id(capture.inner) for capture in region.captures), captured))


_PLANNERS = {
    "constant": _plan_constant,
    "identity": _plan_identity,
    "cond": _plan_switch,
    "switch_case": _plan_switch,
    "while_loop": _plan_loop,
    "try_except": _plan_try,
    "note_state": _plan_note,
    "leave_try": _plan_leave,
}


def is_shallow(graph: Graph) -> bool:
    """Return whether no region is nested deeper than a plan allows."""
    level = [graph]
    for _ in range(MAX_DEPTH):
        level = [region for each in level for node in each.nodes for region in node.regions]
        if not level:
            return True
    return False


def check_has_value(outer: object) -> None:
    """Raise GraphError if a capture has no value outside of its graph."""
    if isinstance(outer, SymbolicTensor):
        raise GraphError(f"a region needs a value for {outer}, captured from '{outer.graph.name}'")
