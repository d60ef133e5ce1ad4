"""The plan: a graph as statements over slots, with the jumps a program would have.

    while_loop(%i) { test: less(%i, %n)         i = 0
                     body: add(%i, 1) }    ->   loop: test  less = less(i, n)
                                                      body  add = add(i, 1); i = add

A region is no graph of its own any more: what it captures are the slots around it. A loop variable
is one slot that each turn assigns anew, and so is what a choice hands out. What an executor makes
of the statements is its own affair.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, TypeAlias

from runtime.array_value import ArrayValue
from runtime.errors import GraphError
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.records import dataclass
from runtime.tensor import Array, SymbolicTensor

# How deep regions inside of regions are statements. Python takes twenty loops in one another and a
# hundred blocks; a loop counts for more than a choice.
DEEPEST = 60
_OF_LOOP = 4


class Slot:
    """A place of a plan that holds one value at a time.

    Attributes:
        name: what it is called, after what the graph calls its value; several may share it.
        tensor: the value of the graph that tells its dtype and shape.
        value: what it always holds, if that is known: an array.
        outer: what it always holds of what is outside of the graph: a tensor or a variable.
    """

    __slots__ = ("name", "outer", "tensor", "value")

    def __init__(self, name: str, tensor: SymbolicTensor) -> None:
        self.name = name
        self.tensor = tensor
        self.value: Array | None = None
        self.outer: Any = None

    @property
    def is_fixed(self) -> bool:
        """Whether it holds one thing only, and is never assigned."""
        return self.value is not None or self.outer is not None

    def __repr__(self) -> str:
        return f"<Slot {self.name}>"


@dataclass(eq=False)
class Run:
    """One node, with the slots it reads and those it writes."""

    node: Node
    reads: tuple[Slot, ...]
    writes: tuple[Slot, ...]


@dataclass(eq=False)
class Blocks:
    """Nodes that go over arrays element by element, which are run for some rows at a time.

    `reads` are slots from before, `writes` those that are read after it; others hold rows only.
    Where other threads run, too, blocks are larger: each call may have to wait for its turn.
    """

    runs: tuple[Run, ...]
    reads: tuple[Slot, ...]
    writes: tuple[Slot, ...]
    is_in_part: bool = False


@dataclass(eq=False)
class Move:
    """Slots that take what others hold, all at once."""

    writes: tuple[Slot, ...]
    reads: tuple[Slot, ...]


@dataclass(eq=False)
class Choose:
    """One of some blocks is run: the first of two where `test` holds, else the one it numbers."""

    node: Node
    test: Slot
    branches: tuple[Block, ...]


@dataclass(eq=False)
class Each:
    """What a loop goes over, a turn for each: numbers one after the other, or rows of an array.

    Attributes:
        counter: what takes the numbers, None where rows are taken.
        start: the first number.
        limit: what the numbers are below.
        item: what takes the rows.
        items: the array.
    """

    counter: Slot | None = None
    start: Slot | None = None
    limit: Slot | None = None
    item: Slot | None = None
    items: Slot | None = None

    @property
    def reads(self) -> tuple[Slot, ...]:
        """What it is made of."""
        return tuple([each for each in (self.start, self.limit, self.items) if each is not None])

    @property
    def writes(self) -> tuple[Slot, ...]:
        """What each turn begins with."""
        return tuple([each for each in (self.counter, self.item) if each is not None])


@dataclass(eq=False)
class Loop:
    """Turns: `head`, then `body` if `test` holds, and again; or `body` for `each` of some values.

    `flags` are the variables that say that a statement of the user's has left the loop, and `limit`
    is how many turns there are at most.
    """

    node: Node
    variables: tuple[Slot, ...]
    flags: tuple[Slot, ...]
    head: Block
    test: Slot | None
    body: Block
    limit: int | None = None
    each: Each | None = None


@dataclass(eq=False)
class Part:
    """Statements that run beside others: what they read from before, and write for later."""

    body: Block
    reads: tuple[Slot, ...]
    writes: tuple[Slot, ...]


@dataclass(eq=False)
class SideBySide:
    """Parts that do not depend on each other, in the order in which they would run alone."""

    parts: tuple[Part, ...]


@dataclass(eq=False)
class Leave:
    """The end of the innermost loop around it."""

    loop: Node


@dataclass(eq=False)
class Repeat:
    """The end of a turn; the next one begins."""

    loop: Node


@dataclass(eq=False)
class Stop:
    """The end of it all, with what it gives."""

    reads: tuple[Slot, ...]


Statement: TypeAlias = "Run | Blocks | Move | Choose | Loop | SideBySide | Leave | Repeat | Stop"
Block: TypeAlias = "list[Statement]"


@dataclass(eq=False)
class Plan:
    """What a graph does, statement by statement; the last one is a Stop."""

    name: str
    parameters: tuple[Slot, ...]
    body: Block
    callees: dict[Node, tuple[int, ...]] = field(default_factory=dict)


def plan_of(graph: Graph, takes_captures: bool = False) -> Plan:
    """Return the plan of a graph, all of whose nodes are to run.

    Args:
        graph: the graph.
        takes_captures: whether what it uses of what is outside comes as arguments, too.

    Raises:
        GraphError: it is a region, whose captures are values of the graph around it, and does not
            take them.

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
    body = _planned(graph, slots, 0)
    body.append(Stop(_slots_of(graph.outputs, slots)))
    return Plan(graph.name, parameters, body)


def _slot(tensor: SymbolicTensor, slots: dict[int, Slot]) -> Slot:
    node = tensor.node
    name = node.name if len(node.outputs) < 2 else f"{node.name}_{tensor.index}"
    slots[id(tensor)] = made = Slot(name, tensor)
    return made


def _slots_of(tensors: Sequence[SymbolicTensor], slots: Mapping[int, Slot]) -> tuple[Slot, ...]:
    return tuple([slots[id(tensor)] for tensor in tensors])


def _planned(graph: Graph, slots: dict[int, Slot], depth: int) -> Block:
    """Return the statements of the nodes of a graph or region; `slots` gets what they make.

    What is deeper inside than a program can be stays one statement.
    """
    block: Block = []
    for node in graph.nodes:
        plan_one = _PLANNED.get(node.op.name)
        if plan_one is None or (node.regions and depth >= DEEPEST):
            plan_node(node, slots, block)
        else:
            plan_one(node, slots, block, depth)
    return block


def plan_node(node: Node, slots: dict[int, Slot], block: Block) -> None:
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
        branch = _planned(region, inside, depth + 1)
        branch.append(Move(results, _slots_of(region.outputs, inside)))
        branches.append(branch)
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
    head = _planned(test, in_test, depth + _OF_LOOP)
    turn = _planned(body, in_body, depth + _OF_LOOP)
    turn.append(Move(variables, _slots_of(body.outputs, in_body)))
    exits: Any = node.attrs.get("exits", ())
    flags = tuple([variables[at] for at, _ in exits])
    limit: Any = node.attrs.get("maximum_iterations")
    tested = in_test[id(test.outputs[0])]
    block.append(Loop(node, variables, flags, head, tested, turn, limit))


def _inside(region: Graph, captured: Sequence[Slot]) -> dict[int, Slot]:
    """Return the slots that a region sees: those that it captures."""
    return dict(zip((id(held.inner) for held in region.captures), captured))


_PLANNED = {
    "constant": _plan_constant,
    "identity": _plan_identity,
    "cond": _plan_choice,
    "switch_case": _plan_choice,
    "while_loop": _plan_loop,
}


def is_shallow(graph: Graph) -> bool:
    """Return whether no regions are deeper inside of others than a plan has them as statements."""
    level = [graph]
    for _ in range(DEEPEST):
        level = [region for each in level for node in each.nodes for region in node.regions]
        if not level:
            return True
    return False


def check_is_known(outer: object) -> None:
    """Raise GraphError where a capture has no value without the graph around."""
    if isinstance(outer, SymbolicTensor):
        raise GraphError(f"a region needs a value for {outer}, captured from '{outer.graph.name}'")


# -- looking at statements -------------------------------------------------------------------------


def blocks_in(statement: Statement) -> tuple[Block, ...]:
    """Return the blocks of a statement that has some."""
    if isinstance(statement, Choose):
        return statement.branches
    if isinstance(statement, SideBySide):
        return tuple([part.body for part in statement.parts])
    return (statement.head, statement.body) if isinstance(statement, Loop) else ()


def walk(block: Block) -> Iterator[Statement]:
    """Yield the statements of a block and of those inside of it, in order."""
    for statement in block:
        yield statement
        for inner in blocks_in(statement):
            yield from walk(inner)


def read_by(statement: Statement) -> tuple[Slot, ...]:
    """Return what a statement reads by itself, its blocks left out."""
    if isinstance(statement, (Run, Blocks, Move, Stop)):
        return statement.reads
    if isinstance(statement, Choose):
        return (statement.test,)
    if isinstance(statement, Loop) and statement.each is not None:
        return statement.each.reads
    if isinstance(statement, Loop) and statement.test is not None:
        return (statement.test,)
    if isinstance(statement, SideBySide):
        return tuple([slot for part in statement.parts for slot in part.reads])
    return ()


def written_by(statement: Statement) -> tuple[Slot, ...]:
    """Return what a statement assigns by itself, its blocks left out."""
    if isinstance(statement, SideBySide):
        return tuple([slot for part in statement.parts for slot in part.writes])
    if isinstance(statement, Loop) and statement.each is not None:
        return statement.each.writes
    return statement.writes if isinstance(statement, (Run, Blocks, Move)) else ()
