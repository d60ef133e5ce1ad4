"""The state that functions share which print the nodes and statements of a plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from runtime.core.tensor import SymbolicTensor
from runtime.executors.numpy.in_place import InPlace
from runtime.executors.numpy.list_source import ListValues
from runtime.executors.numpy.lists import Lists
from runtime.executors.numpy.name_allocation import Names
from runtime.executors.numpy.numbers import Numbers
from runtime.executors.numpy.scratch_buffers import ScratchBuffers
from runtime.executors.numpy.source_writer import PrintedNode
from runtime.executors.plan import Block, Plan, Run, Slot, Statement
from runtime.graph.graph import Graph
from runtime.graph.node import Node


@dataclass(frozen=True)
class PrintedFunction:
    """A plan as text.

    Attributes:
        name: what the function is called.
        source: the function.
        objects: what it finds by name outside of itself.
        places: what its lines are for, by their numbers.
    """

    name: str
    source: str
    objects: dict[str, Any]
    places: dict[int, PrintedNode]


@dataclass(frozen=True)
class PreparedPlan:
    """A plan with the results of its analyses.

    Attributes:
        plan: the plan.
        numbers: what is known of its numbers.
        held: the slots that hold numbers.
        last_uses: the slots that a statement is the last one to read.
        rooms: the memory that results are written to.
        lists: the lists that are kept as Python's.
        in_place: what is changed in place.
        gradients: the slots that hold gradients by rows.
    """

    plan: Plan
    numbers: Numbers
    held: set[Slot]
    last_uses: dict[Statement, set[Slot]]
    rooms: ScratchBuffers
    lists: Lists
    in_place: InPlace
    gradients: set[Slot]


class SelfCaller(NamedTuple):
    """A region as a printed function: how it is called, what it takes and what it gives.

    `is_counted` says whether it takes, after all others, how many calls it is inside of.
    """

    name: str
    parameters: Sequence[SymbolicTensor]
    results: Sequence[SymbolicTensor]
    is_counted: bool


class ItemPart(NamedTuple):
    """A number or an array as a text, and whether it is known not to be negative."""

    text: str
    is_place: bool = False


class StackedParts(NamedTuple):
    """The parts of a stacked tensor that is not written before it is used."""

    parts: tuple[ItemPart | StackedParts, ...]

    @property
    def text(self) -> str:
        """A list of Python's with all of it."""
        return f"[{', '.join(part.text for part in self.parts)}]"


@dataclass(frozen=True)
class CalledFunctions:
    """The functions that a printed one calls.

    Attributes:
        callee_of: gives what a whole graph has become; whether it is to be given its captures.
        prepare: makes a plan of a region that is to be a function by itself.
        known: by the names that calls have for them, the functions of regions.
        printed: their texts and what their lines are for.
    """

    callee_of: Callable[[Graph, bool], Any]
    prepare: Callable[[Graph], PreparedPlan]
    known: dict[str, SelfCaller] = field(default_factory=dict)
    printed: list[tuple[str, dict[int, PrintedNode]]] = field(default_factory=list)


class PrintContext(ListValues):
    """The state of printing a plan, for the functions that print its nodes and statements."""

    def __init__(
        self, prepared: PreparedPlan, others: CalledFunctions, names: Names | None = None
    ) -> None:
        super().__init__(prepared.numbers, prepared.held, prepared.lists, names)
        self.plan = prepared.plan
        self.others = others
        # The nodes that make the first calls of functions around, if this is in one, and what holds
        # how many calls it is inside of, if that is counted.
        self.callers: tuple[Node, ...] = ()
        self.depth = ""
        self.rooms = prepared.rooms
        self.last_uses = prepared.last_uses
        self.in_place = prepared.in_place
        self.gradients = prepared.gradients
        # What waits to be written into an array.
        self.together: dict[Slot, StackedParts] = {}
        self.elements: dict[Slot, str] = {}  # By array, what holds its elements as numbers.
        self._results: Sequence[SymbolicTensor] | None = None  # What is given back is like these.
        self.ranges: set[Slot] = set()
        self.lengths: dict[Slot, Slot] = {}

    def block(self, block: Block) -> None:
        """Print the statements of a block, and what it leaves for later."""
        raise NotImplementedError

    def run(self, run: Run, is_read_once: bool) -> None:
        """Print a node; its result may wait for the one that reads it."""
        raise NotImplementedError

    def function_of_numbers(self, function: SelfCaller) -> None:
        """Print the whole of a plan as a function that takes and gives numbers where it can."""
        raise NotImplementedError
