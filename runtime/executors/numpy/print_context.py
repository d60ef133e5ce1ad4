"""The shared state of the functions that print a plan's nodes and statements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from runtime.core.tensor import SymbolicTensor
from runtime.executors.numpy.in_place_analysis import InPlace
from runtime.executors.numpy.list_source import ListValues
from runtime.executors.numpy.name_allocation import NameAllocation
from runtime.executors.numpy.numbers import Numbers
from runtime.executors.numpy.python_lists import PythonLists
from runtime.executors.numpy.scratch_buffers import ScratchBuffers
from runtime.executors.numpy.source_writer import PrintedNode
from runtime.executors.plan.plan import Block, NodeRun, Plan, PlanSlot, Statement
from runtime.graph.graph import Graph
from runtime.graph.node import Node


class PrintedSource(NamedTuple):
    """The source of a plan's function.

    Attributes:
        name: the function's name.
        source: the function's source.
        objects: the global variables of the function.
        nodes: the nodes of its lines, by line number.
    """

    name: str
    source: str
    objects: dict[str, Any]
    nodes: dict[int, PrintedNode]


class PreparedPlan(NamedTuple):
    """A plan with the results of its analyses.

    Attributes:
        plan: the plan.
        numbers: the facts about its numbers.
        number_slots: the slots that contain numbers.
        last_uses: for each statement, the slots that no later statement reads.
        buffers: the scratch buffers for results.
        lists: the lists that are stored as Python lists.
        in_place: the updates in place.
        gradients: the slots that contain gradients by rows.
    """

    plan: Plan
    numbers: Numbers
    number_slots: set[PlanSlot]
    last_uses: dict[Statement, set[PlanSlot]]
    buffers: ScratchBuffers
    lists: PythonLists
    in_place: InPlace
    gradients: set[PlanSlot]


class SelfCaller(NamedTuple):
    """A region as a printed function: its name, parameters and results.

    `is_counted` tells whether its last parameter is the recursion depth.
    """

    name: str
    parameters: Sequence[SymbolicTensor]
    results: Sequence[SymbolicTensor]
    is_counted: bool


class ItemPart(NamedTuple):
    """A number or an array as text, and whether it is known to be a non-negative index."""

    text: str
    is_place: bool = False


class StackedParts(NamedTuple):
    """The parts of a `stack` whose text is only written where it is used."""

    parts: tuple[ItemPart | StackedParts, ...]

    @property
    def text(self) -> str:
        """The text of a Python list of all parts."""
        return f"[{', '.join(part.text for part in self.parts)}]"


@dataclass(eq=False, repr=False)
class CalledFunctions:
    """The functions that a printed function calls.

    Attributes:
        callee_of: compiles a called graph; the second argument is whether it takes its captures.
        prepare: makes the plan of a region that becomes a function.
        known: the functions of recursive regions, by the names that calls use.
        printed: the sources of these functions, with the nodes of their lines.
    """

    callee_of: Callable[[Graph, bool], Any]
    prepare: Callable[[Graph], PreparedPlan]
    known: dict[str, SelfCaller] = field(default_factory=dict)
    printed: list[tuple[str, dict[int, PrintedNode]]] = field(default_factory=list)


class PrintContext(ListValues, ABC):
    """The state of printing a plan, for the functions that print its nodes and statements."""

    def __init__(
        self, prepared: PreparedPlan, others: CalledFunctions, names: NameAllocation | None = None
    ) -> None:
        super().__init__(prepared.numbers, prepared.number_slots, prepared.lists, names)
        self.plan = prepared.plan
        self.others = others
        # The nodes of the first calls of the recursive functions around, and the name of the
        # variable that stores the recursion depth, if it is counted.
        self.callers: tuple[Node, ...] = ()
        self.depth = ""
        self.buffers = prepared.buffers
        self.last_uses = prepared.last_uses
        self.in_place = prepared.in_place
        self.gradients = prepared.gradients
        # Stacks whose parts in-place changes write directly.
        self.together: dict[PlanSlot, StackedParts] = {}
        self.elements: dict[
            PlanSlot, str
        ] = {}  # For each array, the name of its elements as numbers.
        # The results of a function of numbers, which tell their forms.
        self._results: Sequence[SymbolicTensor] | None = None
        self.ranges: set[PlanSlot] = set()
        self.lengths: dict[PlanSlot, PlanSlot] = {}

    @abstractmethod
    def block(self, block: Block) -> None:
        """Print the statements of a block, and compute all pending values at its end."""

    @abstractmethod
    def run(self, run: NodeRun, is_read_once: bool) -> None:
        """Print a node; its result may stay pending until the statement that reads it."""

    @abstractmethod
    def function_of_numbers(self, function: SelfCaller) -> None:
        """Print the whole plan as a function that takes and returns numbers where possible."""
