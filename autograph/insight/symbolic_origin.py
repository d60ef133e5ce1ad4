"""The origin of a symbolic value: the shortest path from an input of the graph to it.

    x (argument) -> y = x * 2 (line 3) -> y > 0 (line 4)

The graph is gone through backwards, from a value to what it was made of, through branches and
loops to the values outside. That a loop runs once more because of a value counts as well, but only
where no value itself leads there.
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

# A way over who decides is taken only if there is none over values.
_OVER_VALUE, _OVER_DECISION = 1, 1000
_DRAWN = ("random", "io")

Named = Callable[[object], "str | None"]


@dataclass(frozen=True, slots=True)
class OriginStep:
    """One step on the way from an input of the graph to a value.

    Attributes:
        text: the name of an input, or the statement that computes.
        kind: `argument`, `variable`, `captured`, `drawn` or `statement`.
        line: of the statement; None for an input.
        function: the name of the function the statement stands in.
        filename: its file.
    """

    text: str
    kind: str
    line: int | None = None
    function: str = ""
    filename: str = ""

    def shown(self, function: str = "") -> str:
        """Return the step in words; `function` is the one that needs not be named.

        >>> OriginStep("y = x * 2", "statement", 3, "f").shown("f")
        'y = x * 2 (line 3)'
        """
        if self.line is None:
            return f"{self.text} ({self.kind})"
        inside = "" if self.function in ("", function) else f" of {self.function}"
        return f"{self.text} (line {self.line}{inside})"


class OriginPaths:
    """The ways through one traced graph.

    Args:
        root: the graph, as traced.
        named: gives the user's name for a captured value, if it has one.
    """

    def __init__(self, root: Graph, named: Named) -> None:
        self._named = named
        self._owners: dict[int, tuple[Node, int]] = {}
        for node in root.walk():
            for position, region in enumerate(node.regions):
                self._owners[id(region)] = (node, position)

    def to(self, values: Iterable[object], at: OriginStep | None = None) -> tuple[OriginStep, ...]:
        """Return the shortest way to one of some values; empty where none depends on an input.

        Args:
            values: symbolic tensors.
            at: the last step, where it is not the statement that made the value.
        """
        found = self._shortest([v for v in values if isinstance(v, SymbolicTensor)])
        steps = [step for value in found if (step := self._step(value)) is not None]
        if steps and at is not None:
            steps = [step for step in steps if not _same_place(step, at)]
            steps.append(at)
        return tuple(_without_repeats(steps))

    def _shortest(self, targets: list[SymbolicTensor]) -> list[SymbolicTensor]:
        order = count()
        waiting: list[tuple[int, int, SymbolicTensor, Any]] = [
            (0, next(order), target, ()) for target in targets
        ]
        heapq.heapify(waiting)
        done: set[int] = set()
        while waiting:
            cost, _, value, way = heapq.heappop(waiting)
            if id(value) in done:
                continue
            done.add(id(value))
            way = (value, way)
            if self._is_source(value):
                return list(_unrolled(way))
            for other, price in self._before(value):
                heapq.heappush(waiting, (cost + price, next(order), other, way))
        return []

    def _is_source(self, value: SymbolicTensor) -> bool:
        node = value.node
        if node.op.name == "placeholder":
            return id(value.graph) not in self._owners
        return not node.inputs and node.op.effects in _DRAWN

    def _before(self, value: SymbolicTensor) -> Iterator[tuple[SymbolicTensor, int]]:
        """Yield the values that a value was made of."""
        node = value.node
        if node.op.name == "placeholder":
            yield from self._before_input(value)
        elif node.regions:
            yield from self._before_result(node, value.index)
        else:
            yield from ((each, _OVER_VALUE) for each in node.inputs)

    def _before_input(self, value: SymbolicTensor) -> Iterator[tuple[SymbolicTensor, int]]:
        region = value.graph
        if id(region) not in self._owners:
            return
        for held in region.captures:
            if held.inner is value and isinstance(held.outer, SymbolicTensor):
                yield held.outer, _OVER_VALUE
                return
        node, _ = self._owners[id(region)]
        position = next((k for k, each in enumerate(region.parameters) if each is value), None)
        if position is not None and position < len(node.inputs):
            yield node.inputs[position], _OVER_VALUE
            yield from self._decided(node, position)

    def _decided(self, node: Node, position: int) -> Iterator[tuple[SymbolicTensor, int]]:
        """Yield the values that determine a variable of a loop in later iterations."""
        if node.op.name == "while_loop":
            test, body = node.regions
            yield body.outputs[position], _OVER_VALUE
            yield test.outputs[0], _OVER_DECISION

    def _before_result(self, node: Node, index: int) -> Iterator[tuple[SymbolicTensor, int]]:
        if node.op.name == "while_loop":
            yield node.inputs[index], _OVER_VALUE
            yield from self._decided(node, index)
            return
        for region in node.regions:
            if index < len(region.outputs):
                yield region.outputs[index], _OVER_VALUE
        yield from ((each, _OVER_VALUE) for each in node.inputs[:1])

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


def _unrolled(way: Any) -> Iterator[SymbolicTensor]:
    while way:
        value, way = way
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
