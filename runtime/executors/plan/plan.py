"""The plan: a graph as statements over slots, with jumps.

    while_loop(%i) { test: less(%i, %n)         i = 0
                     body: add(%i, 1) }    ->   loop: test  less = less(i, n)
                                                      body  add = add(i, 1); i = add

A region is no longer a separate graph: its captures are the slots around it. A loop variable is one
slot that each iteration assigns, and a result of a `cond` is one slot that each branch assigns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from runtime.core.tensor import Array, SymbolicTensor
from runtime.graph.node import Node


class PlanSlot:
    """A variable of a plan.

    Attributes:
        name: the name of the graph's tensor; several slots may have the same name.
        tensor: a tensor of the graph whose value the slot holds, which gives the dtype and shape.
        value: the array of a constant, else None.
        outer: the captured tensor or variable, else None.
    """

    __slots__ = ("name", "outer", "tensor", "value")

    def __init__(self, name: str, tensor: SymbolicTensor) -> None:
        self.name = name
        self.tensor = tensor
        self.value: Array | None = None
        self.outer: Any = None

    @property
    def is_fixed(self) -> bool:
        """True if the slot always contains the same value, and is never assigned."""
        return self.value is not None or self.outer is not None

    def __repr__(self) -> str:
        return f"<PlanSlot {self.name}>"


@dataclass(eq=False, repr=False)
class NodeRun:
    """One node, with the slots it reads and those it writes."""

    node: Node
    reads: tuple[PlanSlot, ...]
    writes: tuple[PlanSlot, ...]


@dataclass(eq=False, repr=False)
class BlockLoop:
    """Elementwise nodes that run on blocks of rows.

    `reads` are slots assigned before, `writes` those read later; other slots contain rows only.
    Blocks are larger in a parallel part (`is_in_part`), since calls wait for those of other
    threads.
    """

    runs: tuple[NodeRun, ...]
    reads: tuple[PlanSlot, ...]
    writes: tuple[PlanSlot, ...]
    is_in_part: bool = False


@dataclass(eq=False, repr=False)
class Move:
    """Assigns the values of the slots `reads` to the slots `writes`, simultaneously."""

    writes: tuple[PlanSlot, ...]
    reads: tuple[PlanSlot, ...]


@dataclass(eq=False, repr=False)
class Switch:
    """Runs one branch of a `cond` (the first if `test` is true), or branch `test` of a switch."""

    node: Node
    test: PlanSlot
    branches: tuple[Block, ...]


@dataclass(eq=False, repr=False)
class LoopIterable:
    """The iterable of a counted loop: a range of numbers, or the rows of an array.

    Attributes:
        counter: the slot of the numbers, None for a loop over rows.
        start: the first number.
        limit: the exclusive upper bound of the numbers.
        item: the slot of the current row, None for a loop over numbers.
        items: the array.
    """

    counter: PlanSlot | None = None
    start: PlanSlot | None = None
    limit: PlanSlot | None = None
    item: PlanSlot | None = None
    items: PlanSlot | None = None

    @property
    def reads(self) -> tuple[PlanSlot, ...]:
        """The slots that define the iterable."""
        return tuple([each for each in (self.start, self.limit, self.items) if each is not None])

    @property
    def writes(self) -> tuple[PlanSlot, ...]:
        """The slots that each iteration assigns first."""
        return tuple([each for each in (self.counter, self.item) if each is not None])


@dataclass(eq=False, repr=False)
class Loop:
    """A loop: runs `head`, then `body` if `test` is true; or `body` for each value of `iterable`.

    Without `test` and `iterable`, only a jump ends the loop. `flags` are the variables that stand
    for a `break` or `return` of the user's code; `limit` is the largest number of iterations.
    """

    node: Node
    variables: tuple[PlanSlot, ...]
    flags: tuple[PlanSlot, ...]
    head: Block
    test: PlanSlot | None
    body: Block
    limit: int | None = None
    iterable: LoopIterable | None = None


@dataclass(eq=False, repr=False)
class Try:
    """A `try`: its body, its `else` block, and its handlers.

    Attributes:
        caught: the slot of the exception.
        body: the statements whose errors are caught.
        orelse: the statements after `body`; their errors are not caught.
        handlers: one block for each entry of the node's `kinds`.
        record: the slot of the record in which the body's nodes note values for the handlers; None
            if the notes are moves.
        initial: the slots with the initial values of the record.
        noted: the slots in which the handlers read the record's values.
    """

    node: Node
    caught: PlanSlot
    body: Block
    orelse: Block
    handlers: tuple[Block, ...]
    record: PlanSlot | None = None
    initial: tuple[PlanSlot, ...] = ()
    noted: tuple[PlanSlot, ...] = ()


@dataclass(eq=False, repr=False)
class ParallelPart:
    """Statements that run on a thread beside others.

    `reads` are the slots of other statements that they read, `writes` those that others read later.
    """

    body: Block
    reads: tuple[PlanSlot, ...]
    writes: tuple[PlanSlot, ...]


@dataclass(eq=False, repr=False)
class Parallel:
    """Parts that may run in parallel, in the order in which they would run one after the other."""

    parts: tuple[ParallelPart, ...]


@dataclass(eq=False, repr=False)
class Break:
    """Leaves the loop of the node `loop`, the innermost one around."""

    loop: Node


@dataclass(eq=False, repr=False)
class Continue:
    """Starts the next iteration of the innermost loop."""

    loop: Node


@dataclass(eq=False, repr=False)
class Return:
    """Returns the values of `reads`; unreachable after a statement that always raises."""

    reads: tuple[PlanSlot, ...]
    is_reachable: bool = True


Statement: TypeAlias = (
    "NodeRun | BlockLoop | Move | Switch | Loop | Try | Parallel | Break | Continue | Return"
)
Block: TypeAlias = "list[Statement]"


@dataclass(eq=False, repr=False)
class Plan:
    """A graph as a list of statements; each path through it ends in a Return, or never ends.

    `parameters` are the slots of the arguments.
    """

    name: str
    parameters: tuple[PlanSlot, ...]
    body: Block


# -- the slots and blocks of statements ------------------------------------------------------------


def blocks_in(statement: Statement) -> tuple[Block, ...]:
    """Return the blocks of a statement."""
    if isinstance(statement, (NodeRun, Move)):
        return ()
    if isinstance(statement, Switch):
        return statement.branches
    if isinstance(statement, Try):
        return (statement.body, statement.orelse, *statement.handlers)
    if isinstance(statement, Parallel):
        return tuple([part.body for part in statement.parts])
    return (statement.head, statement.body) if isinstance(statement, Loop) else ()


def walk(block: Block) -> Iterator[Statement]:
    """Yield the statements of a block and of those inside of it, in order."""
    # An explicit stack, since nested generators would pass each statement on once per level.
    waiting = [iter(block)]
    while waiting:
        for statement in waiting[-1]:
            yield statement
            inner = blocks_in(statement)
            if inner:
                waiting += map(iter, reversed(inner))
                break
        else:
            waiting.pop()


def read_by(statement: Statement) -> tuple[PlanSlot, ...]:
    """Return the slots that a statement reads itself, without those read in its blocks."""
    if isinstance(statement, (NodeRun, BlockLoop, Move, Return)):
        return statement.reads
    if isinstance(statement, Switch):
        return (statement.test,)
    if isinstance(statement, Loop) and statement.iterable is not None:
        return statement.iterable.reads
    if isinstance(statement, Loop) and statement.test is not None:
        return (statement.test,)
    if isinstance(statement, Try):
        return statement.initial
    if isinstance(statement, Parallel):
        return tuple([slot for part in statement.parts for slot in part.reads])
    return ()


def written_by(statement: Statement) -> tuple[PlanSlot, ...]:
    """Return the slots that a statement assigns itself, without those assigned in its blocks."""
    if isinstance(statement, Parallel):
        return tuple([slot for part in statement.parts for slot in part.writes])
    if isinstance(statement, Loop) and statement.iterable is not None:
        return statement.iterable.writes
    if isinstance(statement, Try):
        records = () if statement.record is None else (statement.record,)
        return (statement.caught, *records, *statement.noted)
    return statement.writes if isinstance(statement, (NodeRun, BlockLoop, Move)) else ()
