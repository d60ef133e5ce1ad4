"""The origin of a symbolic value: the shortest path from an input of the graph to it.

    x (argument) -> y = x * 2 (line 3) -> y > 0 (line 4)

The graph is searched backwards, from a value to the values that it was computed from, also out of
branches and loops. The condition of a loop counts as well, but only if there is no other path.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

from autograph.insight.sources import statement_text
from runtime.core.context import Origin
from runtime.core.tensor import SymbolicTensor
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.state.variable import Variable

# A path that has a condition is found only if there is none over values.
_VALUE_COST, _DECISION_COST = 1, 1000
_RANDOM_EFFECTS = ("random", "io")

Named = Callable[[object], "str | None"]


@dataclass(frozen=True, slots=True)
class OriginStep:
    """A step on the path from an input of the graph to a value.

    Attributes:
        text: the name of an input, or the text of a statement.
        kind: `argument`, `variable`, `captured`, `drawn` (random) or `statement`.
        line: the line of the statement; None for an input.
        function: the name of the function around the statement.
        filename: its file.
    """

    text: str
    kind: str
    line: int | None = None
    function: str = ""
    filename: str = ""

    def shown(self, function: str = "") -> str:
        """Return the text of the step, which does not name `function`.

        >>> OriginStep("y = x * 2", "statement", 3, "f").shown("f")
        'y = x * 2 (line 3)'
        """
        if self.line is None:
            return f"{self.text} ({self.kind})"
        inside = "" if self.function in ("", function) else f" of {self.function}"
        return f"{self.text} (line {self.line}{inside})"


class OriginPaths:
    """The paths in one traced graph.

    Args:
        root: the graph.
        named: returns the user's name for a captured value, or None.
    """

    def __init__(self, root: Graph, named: Named) -> None:
        self._named = named
        self._owners: dict[int, tuple[Node, int]] = {}
        for node in root.walk():
            for position, region in enumerate(node.regions):
                self._owners[id(region)] = (node, position)

    def shortest(
        self, values: Iterable[object], at: OriginStep | None = None
    ) -> tuple[OriginStep, ...]:
        """Return the shortest path to one of some values; empty if none depends on an input.

        Args:
            values: symbolic tensors.
            at: the last step, if it is not the statement that made the value.
        """
        found = self._shortest([v for v in values if isinstance(v, SymbolicTensor)])
        steps = [step for value in found if (step := self._step(value)) is not None]
        if steps and at is not None:
            steps = [step for step in steps if not _same_place(step, at)]
            steps.append(at)
        return tuple(_without_repeats(steps))

    def _shortest(self, targets: list[SymbolicTensor]) -> list[SymbolicTensor]:
        order = count()
        queue: list[tuple[int, int, SymbolicTensor, Any]] = [
            (0, next(order), target, ()) for target in targets
        ]
        heapq.heapify(queue)
        done: set[int] = set()
        while queue:
            cost, _, value, path = heapq.heappop(queue)
            if id(value) in done:
                continue
            done.add(id(value))
            path = (value, path)
            if self._is_source(value):
                return list(_values_on(path))
            for other, price in self._sources_of(value):
                heapq.heappush(queue, (cost + price, next(order), other, path))
        return []

    def _is_source(self, value: SymbolicTensor) -> bool:
        node = value.node
        if node.op.name == "placeholder":
            return id(value.graph) not in self._owners
        return not node.inputs and node.op.effects in _RANDOM_EFFECTS

    def _sources_of(self, value: SymbolicTensor) -> Iterator[tuple[SymbolicTensor, int]]:
        """Yield the values that a value was computed from."""
        node = value.node
        if node.op.name == "placeholder":
            yield from self._sources_of_input(value)
        elif node.regions:
            yield from self._sources_of_result(node, value.index)
        else:
            yield from ((each, _VALUE_COST) for each in node.inputs)

    def _sources_of_input(self, value: SymbolicTensor) -> Iterator[tuple[SymbolicTensor, int]]:
        region = value.graph
        if id(region) not in self._owners:
            return
        for held in region.captures:
            if held.inner is value and isinstance(held.outer, SymbolicTensor):
                yield held.outer, _VALUE_COST
                return
        node, _ = self._owners[id(region)]
        position = next((k for k, each in enumerate(region.parameters) if each is value), None)
        if position is not None and position < len(node.inputs):
            yield node.inputs[position], _VALUE_COST
            yield from self._loop_sources(node, position)

    def _loop_sources(self, node: Node, position: int) -> Iterator[tuple[SymbolicTensor, int]]:
        """Yield the values that determine a loop variable after the first iteration."""
        if node.op.name == "while_loop":
            test, body = node.regions
            yield body.outputs[position], _VALUE_COST
            yield test.outputs[0], _DECISION_COST

    def _sources_of_result(self, node: Node, index: int) -> Iterator[tuple[SymbolicTensor, int]]:
        if node.op.name == "while_loop":
            yield node.inputs[index], _VALUE_COST
            yield from self._loop_sources(node, index)
            return
        for region in node.regions:
            if index < len(region.outputs):
                yield region.outputs[index], _VALUE_COST
        yield from ((each, _VALUE_COST) for each in node.inputs[:1])

    def _step(self, value: SymbolicTensor) -> OriginStep | None:
        node = value.node
        if node.op.name == "placeholder":
            return None if id(value.graph) in self._owners else self._input(value)
        if node.origin is None or node.origin.line is None:  # clean-up code has no line
            return None
        kind = "drawn" if self._is_source(value) else "statement"
        return step_at(node.origin, kind)

    def _input(self, value: SymbolicTensor) -> OriginStep:
        for held in value.graph.captures:
            if held.inner is value:
                name = self._named(held.outer) or _name_of(held.outer) or value.node.name
                kind = "variable" if isinstance(held.outer, Variable) else "captured"
                return OriginStep(name, kind)
        return OriginStep(value.node.name, "argument")


def step_at(origin: Origin, kind: str = "statement") -> OriginStep:
    """Return the step of the statement on a line."""
    text = statement_text(origin.filename, origin.line)
    return OriginStep(text, kind, origin.line, origin.function, origin.filename)


def _name_of(outer: object) -> str | None:
    return outer.handle_name if isinstance(outer, Variable) else None


def _values_on(path: Any) -> Iterator[SymbolicTensor]:
    while path:
        value, path = path
        yield value


def _without_repeats(steps: list[OriginStep]) -> Iterator[OriginStep]:
    last: OriginStep | None = None
    for step in steps:
        if last is None or not _same_place(step, last):
            yield step
        last = step


def _same_place(a: OriginStep, b: OriginStep) -> bool:
    here, there = (a.filename, a.line, a.function), (b.filename, b.line, b.function)
    return a == b or (a.line is not None and here == there)
