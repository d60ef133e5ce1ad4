"""The source, constants and compiled code of a printed function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from runtime.executors.numpy.in_place import InPlace
from runtime.executors.numpy.lists import Lists
from runtime.executors.numpy.numbers import Numbers
from runtime.executors.numpy.scratch_buffers import ScratchBuffers
from runtime.executors.numpy.source_writer import PrintedNode
from runtime.executors.plan import Plan, Slot, Statement
from runtime.graph.graph import Graph

if TYPE_CHECKING:
    from runtime.executors.numpy.calls import SelfCaller


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
