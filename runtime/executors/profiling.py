"""Profiles a run: the time, the number of executions and the schedule of each node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, TypeAlias

from runtime.executors.interpreter import Instruction, InstructionList, run_program_of
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.op import Op, run_kernel

Values: TypeAlias = Sequence[Any]
Attrs: TypeAlias = Mapping[str, Any]


@dataclass
class Cost:
    """The cost of a node over all its executions.

    Attributes:
        node: the node.
        depth: the number of nodes whose regions contain it.
        count: the number of executions.
        seconds: the time of all executions, including its regions.
        inside: the part of `seconds` spent in its regions.
    """

    node: Node
    depth: int
    count: int = 0
    seconds: float = 0.0
    inside: float = 0.0


@dataclass(frozen=True)
class NodeExecution:
    """One execution of one node: its start, relative to the start of the run, and its duration."""

    node: Node
    began: float
    seconds: float


@dataclass(eq=False, repr=False)
class _ProfileMark(Op):
    """Stands for the op of a node (`of`), or marks the start or end of a node with regions."""

    of: Op | None = None
    cost: Cost | None = None
    ends: bool = False


@dataclass(eq=False, repr=False)
class Profiler:
    """Runs graphs in the interpreter and measures the time of each node.

    Args:
        most_events: the most executions that are stored as events; the sums include all of them.

    Attributes:
        costs: one for each node that the run may execute, in the order of the graph.
        events: the executions, in the order in which they ended.
        left_out: the number of executions beyond `most_events`.
        seconds: the duration of the whole run.
        is_running: whether a run is in progress.

    Example:
        >>> import numpy as np, runtime as rt
        >>> graph = rt.Graph("double")
        >>> x = graph.add_input(rt.TensorSpec((2,), rt.int32), "x")
        >>> with graph.recording():
        ...     y = x + x
        >>> graph.set_outputs([y])
        >>> profiler = Profiler()
        >>> profiler.run(graph, [np.array([1, 2], np.int32)])
        [array([2, 4], dtype=int32)]
        >>> [(cost.node.name, cost.count) for cost in profiler.costs]
        [('add', 1)]
    """

    most_events: int = 100_000
    costs: list[Cost] = field(default_factory=list)
    events: list[NodeExecution] = field(default_factory=list)
    left_out: int = 0
    seconds: float = 0.0
    is_running: bool = False
    _began: float = 0.0
    _open: list[tuple[Cost, float]] = field(default_factory=list)
    # Each program with its copy; the program is kept alive so that its identity stays unique.
    _known: dict[int, tuple[InstructionList, InstructionList]] = field(default_factory=dict)

    def run(self, graph: Graph, inputs: Values) -> list[Any]:
        """Run a graph once, as the interpreter's `run` does, and measure.

        Earlier measurements are discarded. A graph that runs because of a node of a running graph
        is counted as a part of that node.
        """
        if self.is_running:
            return run_program_of(graph, inputs, self._changed, self._compute)
        self._forget()
        self.is_running = True
        try:
            return run_program_of(graph, inputs, self._begun, self._compute)
        finally:
            self.seconds, self.is_running = perf_counter() - self._began, False

    def _forget(self) -> None:
        self.left_out = 0
        for each in (self.costs, self.events, self._open, self._known):
            each.clear()

    # -- the program ---------------------------------------------------------------------------

    def _begun(self, program: InstructionList) -> InstructionList:
        """Start the clock of the run; the time to make the program is not included."""
        changed = self._changed(program)
        self._began = perf_counter()
        return changed

    def _changed(self, program: InstructionList, depth: int = 0) -> InstructionList:
        """Return a copy whose instructions carry their costs; a recursive program has one copy."""
        known = self._known.get(id(program))
        if known is not None:
            return known[1]
        copy = replace(program, instructions=[])
        self._known[id(program)] = program, copy
        for instruction in program.instructions:
            copy.instructions += self._marked(instruction, depth)
        return copy

    def _marked(self, instruction: Instruction, depth: int) -> list[Instruction]:
        cost = Cost(instruction.node, depth)
        self.costs.append(cost)
        if not instruction.regions:
            return [instruction._replace(op=_mark(instruction.op, cost, of=instruction.op))]
        regions = tuple([self._changed(each, depth + 1) for each in instruction.regions])
        begin = instruction._replace(
            op=_mark(instruction.op, cost), reads=(), writes=(), regions=()
        )
        end = begin._replace(op=_mark(instruction.op, cost, ends=True))
        return [begin, instruction._replace(regions=regions), end]

    # -- the run -------------------------------------------------------------------------------

    def _compute(self, op: Op, operands: Values, attrs: Attrs) -> Values:
        assert isinstance(op, _ProfileMark) and op.cost is not None
        if op.of is None:
            return self._ended(op.cost) if op.ends else self._opened(op.cost)
        self._opened(op.cost)
        try:
            return run_kernel(op.of, operands, attrs)
        finally:
            self._ended(op.cost)

    def _opened(self, cost: Cost) -> Values:
        self._open.append((cost, perf_counter()))
        return ()

    def _ended(self, cost: Cost) -> Values:
        ended = perf_counter()
        while self._open:
            # A node that an outer handler interrupted did not end by itself.
            inner, began = self._open.pop()
            self._note(inner, began, ended - began)
            if inner is cost:
                break
        return ()

    def _note(self, cost: Cost, began: float, seconds: float) -> None:
        cost.count += 1
        cost.seconds += seconds
        if self._open:
            self._open[-1][0].inside += seconds
        if len(self.events) < self.most_events:
            self.events.append(NodeExecution(cost.node, began - self._began, seconds))
        else:
            self.left_out += 1


def _mark(op: Op, cost: Cost, of: Op | None = None, ends: bool = False) -> _ProfileMark:
    return _ProfileMark(op.name, op.kernel, op.infer, of=of, cost=cost, ends=ends)
