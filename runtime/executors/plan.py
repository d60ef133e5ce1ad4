"""The plan: a graph as statements over slots, with jumps.

    while_loop(%i) { test: less(%i, %n)         i = 0
                     body: add(%i, 1) }    ->   loop: test  less = less(i, n)
                                                      body  add = add(i, 1); i = add

A region is no graph of its own any more: what it captures are the slots around it. A loop variable
is one slot that each turn assigns anew, and so is what a choice hands out. What an executor makes
of the statements is its own affair.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from runtime.core.tensor import Array, SymbolicTensor
from runtime.graph.node import Node


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
        """True where it holds one thing only, and is never assigned."""
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
    """The iterable of a loop: a range of numbers, or the rows of an array.

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
        """The slots that it is made of."""
        return tuple([each for each in (self.start, self.limit, self.items) if each is not None])

    @property
    def writes(self) -> tuple[Slot, ...]:
        """The slots that each iteration assigns first."""
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
class Try:
    """A `try`: its body, its `else` block, and its handlers.

    Attributes:
        caught: what takes the exception.
        orelse: comes after `body`; what it raises is not caught.
        handlers: one for each entry of `kinds` of the node.
        record: what functions that are called in `body` take notes in, None where there are none.
        initial: what is in it at first.
        noted: what takes what is in it, for the handlers.
    """

    node: Node
    caught: Slot
    body: Block
    orelse: Block
    handlers: tuple[Block, ...]
    record: Slot | None = None
    initial: tuple[Slot, ...] = ()
    noted: tuple[Slot, ...] = ()


@dataclass(eq=False)
class ParallelPart:
    """Statements that run beside others: what they read from before, and write for later."""

    body: Block
    reads: tuple[Slot, ...]
    writes: tuple[Slot, ...]


@dataclass(eq=False)
class Parallel:
    """Parts that do not depend on each other, in the order in which they would run alone."""

    parts: tuple[ParallelPart, ...]


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
    """The end of it all, with what it gives; it is not reached behind what raises in any case."""

    reads: tuple[Slot, ...]
    is_reached: bool = True


Statement: TypeAlias = (
    "Run | Blocks | Move | Choose | Loop | Try | Parallel | Leave | Repeat | Stop"
)
Block: TypeAlias = "list[Statement]"


@dataclass(eq=False)
class Plan:
    """A graph as a list of statements; the last one is a Stop."""

    name: str
    parameters: tuple[Slot, ...]
    body: Block
    callees: dict[Node, tuple[int, ...]] = field(default_factory=dict)


# -- looking at statements -------------------------------------------------------------------------


def blocks_in(statement: Statement) -> tuple[Block, ...]:
    """Return the blocks of a statement that has some."""
    if isinstance(statement, (Run, Move)):
        return ()
    if isinstance(statement, Choose):
        return statement.branches
    if isinstance(statement, Try):
        return (statement.body, statement.orelse, *statement.handlers)
    if isinstance(statement, Parallel):
        return tuple([part.body for part in statement.parts])
    return (statement.head, statement.body) if isinstance(statement, Loop) else ()


def walk(block: Block) -> Iterator[Statement]:
    """Yield the statements of a block and of those inside of it, in order."""
    # A generator in a generator for each level would hand each statement on as often as that.
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


def read_by(statement: Statement) -> tuple[Slot, ...]:
    """Return the slots that a statement reads by itself, its blocks left out."""
    if isinstance(statement, (Run, Blocks, Move, Stop)):
        return statement.reads
    if isinstance(statement, Choose):
        return (statement.test,)
    if isinstance(statement, Loop) and statement.each is not None:
        return statement.each.reads
    if isinstance(statement, Loop) and statement.test is not None:
        return (statement.test,)
    if isinstance(statement, Try):
        return statement.initial
    if isinstance(statement, Parallel):
        return tuple([slot for part in statement.parts for slot in part.reads])
    return ()


def written_by(statement: Statement) -> tuple[Slot, ...]:
    """Return the slots that a statement assigns by itself, its blocks left out."""
    if isinstance(statement, Parallel):
        return tuple([slot for part in statement.parts for slot in part.writes])
    if isinstance(statement, Loop) and statement.each is not None:
        return statement.each.writes
    if isinstance(statement, Try):
        records = () if statement.record is None else (statement.record,)
        return (statement.caught, *records, *statement.noted)
    return statement.writes if isinstance(statement, (Run, Blocks, Move)) else ()
