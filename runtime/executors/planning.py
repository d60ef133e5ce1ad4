"""Makes the plan of a graph and of the regions inside of it.

    try_except(%xs, %i) { try: strided_slice(%xs, %i)        try: ... = strided_slice(xs, i)
                          except IndexError(%caught): 0 }    except IndexError: ... = 0

Notes of a `try` for its handlers are moves: the last noted values are in slots of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from runtime.core.array_value import ArrayValue
from runtime.core.tensor import SymbolicTensor
from runtime.errors import GraphError
from runtime.executors.plan import Block, Choose, Loop, Move, Plan, Run, Slot, Statement, Stop, Try
from runtime.graph.graph import Graph
from runtime.graph.node import Node

# The greatest depth of regions that become statements. Python limits nested loops to twenty and
# nested blocks to a hundred; a loop or a `try` counts as four choices.
DEEPEST = 60
_OF_LOOP = 4


class _Record(Slot):
    """Stands for the record of a `try` whose notes are plain moves.

    Attributes:
        noted: the slots that the handlers read.
        initial: the values that they hold before anything is noted.
        initial: what they are given where nothing else has been noted.
    """

    __slots__ = ("initial", "noted")

    def __init__(self, tensor: SymbolicTensor, noted: Sequence[Slot], initial: Sequence[Slot]):
        super().__init__("record", tensor)
        self.noted, self.initial = tuple(noted), tuple(initial)


def plan_of(graph: Graph, takes_captures: bool = False) -> Plan:
    """Return the plan of a graph whose nodes must all run.

    Args:
        graph: the graph.
        takes_captures: whether the plan takes captures as additional parameters.

    Raises:
        GraphError: the graph is a region, whose captures are values of the outer graph, and
            `takes_captures` is False.

    Example:
        >>> import runtime as rt
        >>> graph = rt.Graph("double")
        >>> x = graph.add_input(rt.TensorSpec((2,), rt.int32), "x")
        >>> with graph.recording():
        ...     y = x + x
        >>> graph.set_outputs([y])
        >>> [type(each).__name__ for each in plan_of(graph).body]
        ['Run', 'Stop']
    """
    slots: dict[int, Slot] = {}
    parameters = tuple([_slot(tensor, slots) for tensor in graph.parameters])
    captured = tuple([_slot(held.inner, slots) for held in graph.captures])
    if takes_captures:
        parameters += captured
    else:
        for slot, held in zip(captured, graph.captures):
            check_is_known(held.outer)
            slot.outer = held.outer
    body = _planned(graph.nodes, slots, 0)
    body = _with_end(body, Stop(_slots_of(graph.outputs, slots)))
    return Plan(graph.name, parameters, body)


def _slot(tensor: SymbolicTensor, slots: dict[int, Slot]) -> Slot:
    node = tensor.node
    name = node.name if len(node.outputs) < 2 else f"{node.name}_{tensor.index}"
    slots[id(tensor)] = made = Slot(name, tensor)
    return made


def _slots_of(tensors: Sequence[SymbolicTensor], slots: Mapping[int, Slot]) -> tuple[Slot, ...]:
    return tuple([slots[id(tensor)] for tensor in tensors])


def _planned(nodes: Iterable[Node], slots: dict[int, Slot], depth: int) -> Block:
    """Return the statements of nodes; their outputs are added to `slots`.

    A node whose regions are nested too deep becomes a single Run.
    """
    block: Block = []
    for node in nodes:
        plan_one = _PLANNED.get(node.op.name)
        if plan_one is None or (node.regions and depth >= DEEPEST):
            _plan_node(node, slots, block)
        else:
            plan_one(node, slots, block, depth)
    return block


def _with_end(block: Block, *end: Statement) -> Block:
    """Return a block with its final statements, unless it always raises before them."""
    for at, each in enumerate(block):
        if isinstance(each, Run) and each.node.op.name in ("raise", "raise_again"):
            return [*block[: at + 1], Stop((), is_reached=False)]
    return [*block, *end]


def _plan_node(node: Node, slots: dict[int, Slot], block: Block) -> None:
    """Add one statement for a node."""
    reads = _slots_of(node.inputs, slots)
    block.append(Run(node, reads, tuple([_slot(tensor, slots) for tensor in node.outputs])))


def _plan_constant(node: Node, slots: dict[int, Slot], block: Block, depth: int) -> None:
    value = node.attrs["value"]
    assert isinstance(value, ArrayValue)
    _slot(node.outputs[0], slots).value = value.array


def _plan_identity(node: Node, slots: dict[int, Slot], block: Block, depth: int) -> None:
    slots[id(node.outputs[0])] = slots[id(node.inputs[0])]


def _plan_choice(node: Node, slots: dict[int, Slot], block: Block, depth: int) -> None:
    results = tuple([_slot(tensor, slots) for tensor in node.outputs])
    test, *captured = _slots_of(node.inputs, slots)
    branches = []
    for region in node.regions:
        inside = _inside(region, captured)
        branch = _planned(region.nodes, inside, depth + 1)
        end = Move(results, _slots_of(region.outputs, inside))
        branches.append(_with_end(branch, end))
    block.append(Choose(node, test, tuple(branches)))


def _plan_loop(node: Node, slots: dict[int, Slot], block: Block, depth: int) -> None:
    test, body = node.regions
    count = len(body.parameters)
    variables = tuple([Slot(each.node.name, each) for each in body.parameters])
    operands = _slots_of(node.inputs, slots)
    slots.update(zip(map(id, node.outputs), variables))
    block.append(Move(variables, operands[:count]))
    in_test = _inside(test, operands[count:])
    in_test.update(zip(map(id, test.parameters), variables))
    in_body = _inside(body, operands[count:])
    in_body.update(zip(map(id, body.parameters), variables))
    head = _planned(test.nodes, in_test, depth + _OF_LOOP)
    iteration = _planned(body.nodes, in_body, depth + _OF_LOOP)
    iteration = _with_end(iteration, Move(variables, _slots_of(body.outputs, in_body)))
    exits: Any = node.attrs.get("exits", ())
    flags = tuple([variables[at] for at, _ in exits])
    limit: Any = node.attrs.get("maximum_iterations")
    tested = in_test[id(test.outputs[0])]
    block.append(Loop(node, variables, flags, head, tested, iteration, limit))


def _plan_try(node: Node, slots: dict[int, Slot], block: Block, depth: int) -> None:
    body, *handlers = node.regions
    noted: Any = node.attrs["noted"]
    if not _may_be_planned(node, depth):
        _plan_node(node, slots, block)
        return
    operands = _slots_of(node.inputs, slots)
    initial, captured = operands[:noted], operands[noted:]
    results = tuple([_slot(tensor, slots) for tensor in node.outputs])
    places = [Slot(each.node.name, each) for each in handlers[0].inputs[1 : 1 + noted]]
    in_body = _inside(body, captured)
    record, caught = body.parameters[0], Slot("caught", handlers[0].parameters[0])
    head: tuple[Slot | None, tuple[Slot, ...], tuple[Slot, ...]] = None, (), ()
    if _keeps_to_itself(body, record, is_body=True):
        in_body[id(record)] = _Record(record, places, initial)
        if places:
            block.append(Move(tuple(places), initial))
    else:
        in_body[id(record)] = Slot("record", record)
        head = in_body[id(record)], initial, tuple(places)
    at = next((n for n, e in enumerate(body.nodes) if e.op.name == "leave_try"), len(body.nodes))
    tried = _planned(body.nodes[:at], in_body, depth + _OF_LOOP)
    rest = _planned(body.nodes[at:], in_body, depth + _OF_LOOP)
    end = [Move(results, _slots_of(body.outputs, in_body))]
    has_else = at < len(body.nodes)
    tried = _with_end(tried, *([] if has_else else end))
    rest = _with_end(rest, *end) if has_else else []
    blocks = []
    for region in handlers:
        inside = _inside(region, captured)
        inside.update(zip(map(id, region.parameters), (caught, *places)))
        handler = _planned(region.nodes, inside, depth + _OF_LOOP)
        blocks.append(_with_end(handler, Move(results, _slots_of(region.outputs, inside))))
    block.append(Try(node, caught, tried, rest, tuple(blocks), *head))


def _plan_note(node: Node, slots: dict[int, Slot], block: Block, depth: int) -> None:
    record, *values = _slots_of(node.inputs, slots)
    tensors: Sequence[SymbolicTensor] = node.inputs[1:]
    for region in node.regions:  # The region, if any, converts the values.
        inside = dict(zip(map(id, region.inputs), values))
        block += _planned(region.nodes, inside, depth + 1)
        values, tensors = list(_slots_of(region.outputs, inside)), region.outputs
    if not isinstance(record, _Record):
        inputs = (node.inputs[0], *tensors)
        made = Node(node.id, node.name, node.op, inputs, node.attrs, (), node.origin, node.effect)
        block.append(Run(made, (record, *values), ()))
        return
    noted: Any = node.attrs["noted"]
    found = dict(zip(noted.places, values))
    if record.noted:
        reads = [found.get(at, before) for at, before in enumerate(record.initial)]
        block.append(Move(record.noted, tuple(reads)))


def _plan_leave(node: Node, slots: dict[int, Slot], block: Block, depth: int) -> None:
    if not isinstance(slots[id(node.inputs[0])], _Record):
        _plan_node(node, slots, block)


def _may_be_planned(node: Node, depth: int) -> bool:
    """Return whether all nodes that use a `try`'s record can be statements."""
    body, *handlers = node.regions
    level, levels = [node], 0
    while level:
        if depth + _OF_LOOP * levels >= DEEPEST:
            return False
        level = [inner for each in level for region in each.regions for inner in region.nodes]
        levels += 1
    return bool(handlers) and _leaves_at_its_end(body, body.parameters[0])


def _leaves_at_its_end(region: Graph, record: SymbolicTensor | None) -> bool:
    """Return whether each `leave_try` in a region belongs to the `try` whose body it is in."""
    for node in region.nodes:
        if node.op.name == "leave_try" and node.inputs[0] is not record:
            return False
        for at, inner in enumerate(node.regions):
            is_tried = node.op.name == "try_except" and at == 0
            if not _leaves_at_its_end(inner, inner.parameters[0] if is_tried else None):
                return False
    return True


def _keeps_to_itself(region: Graph, record: SymbolicTensor, is_body: bool = False) -> bool:
    """Return whether only `note_state` and `leave_try` nodes use the record of a `try`."""
    for node in region.nodes:
        at = [place for place, each in enumerate(node.inputs) if each is record]
        if not at:
            continue
        if node.op.name == "leave_try" and is_body:
            continue
        if node.op.name == "note_state" and at == [0]:
            continue
        own = len(node.inputs) - len(node.regions[0].captures) if node.regions else 0
        if node.op.name not in _PLANNED or not node.regions or at[0] < own:
            return False
        inner = [(each, each.captures[place - own].inner) for each in node.regions for place in at]
        if not all(_keeps_to_itself(*pair) for pair in inner):
            return False
    return all(each is not record for each in region.outputs)


def _inside(region: Graph, captured: Sequence[Slot]) -> dict[int, Slot]:
    """Return the slots for the captures of a region."""
    return dict(zip((id(held.inner) for held in region.captures), captured))


_PLANNED = {
    "constant": _plan_constant,
    "identity": _plan_identity,
    "cond": _plan_choice,
    "switch_case": _plan_choice,
    "while_loop": _plan_loop,
    "try_except": _plan_try,
    "note_state": _plan_note,
    "leave_try": _plan_leave,
}


def is_shallow(graph: Graph) -> bool:
    """Return whether no region is nested deeper than a plan allows."""
    level = [graph]
    for _ in range(DEEPEST):
        level = [region for each in level for node in each.nodes for region in node.regions]
        if not level:
            return True
    return False


def check_is_known(outer: object) -> None:
    """Raise GraphError if a capture has no value outside of its graph."""
    if isinstance(outer, SymbolicTensor):
        raise GraphError(f"a region needs a value for {outer}, captured from '{outer.graph.name}'")
