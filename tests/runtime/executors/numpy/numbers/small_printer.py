"""A minimal printer of scalar graphs by `Numbers`: one variable for each value.

What a loop takes, turns over and gives is one variable, as it is what a choice gives: so it is in
programs that are printed for use.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.tensor import SymbolicTensor
from runtime.executors.numpy.numbers import Expression, Numbers
from runtime.graph.graph import Graph
from runtime.graph.node import Node


class SmallPrinter:
    """Prints a graph of `cond`, `while_loop` and ops that have an expression.

    Attributes:
        watched: with `watch`, the whole numbers that are told to `seen` when they are computed.
    """

    def __init__(self, graph: Graph, watch: bool = False) -> None:
        self.watch, self.watched = watch, list[SymbolicTensor]()
        self.graph, self.numbers = graph, Numbers(graph)
        self.lines: list[str] = []
        self.texts: dict[int, Expression] = {}
        self.depth = 1
        for parameter in graph.parameters:
            name = self.fresh(parameter)
            self.add(f"{name} = {self.numbers.from_array(parameter, name)}")
        self.block(graph)
        results = [self.numbers.to_array(each, self.texts[id(each)].text) for each in graph.outputs]
        self.add(f"return [{', '.join(results)}]")
        head = f"def run({', '.join(self.texts[id(each)].text for each in graph.parameters)}):"
        self.source = "\n".join([head, *self.lines])

    def add(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def tell(self, *tensors: SymbolicTensor) -> None:
        """Have the program tell which values it has at this place."""
        for tensor in tensors:
            if self.watch and tensor.dtype.is_integer:
                self.add(f"seen({len(self.watched)}, {self.texts[id(tensor)].text})")
                self.watched.append(tensor)

    def fresh(self, tensor: SymbolicTensor) -> str:
        name = f"v{len(self.texts)}"
        self.texts[id(tensor)] = Expression.of_name(name)
        return name

    def block(self, graph: Graph) -> None:
        for node in graph.nodes:
            if node.op.name == "constant":
                self.texts[id(node.outputs[0])] = self.numbers.constant(node.attrs["value"])
            elif node.op.name == "cond":
                self.cond(node)
            elif node.op.name == "while_loop":
                self.loop(node)
            else:
                self.plain(node)

    def plain(self, node: Node) -> None:
        operands = [self.texts[id(each)] for each in node.inputs]
        found = self.numbers.expression(node, operands)
        assert found is not None, node
        name = self.fresh(node.outputs[0])
        for line in found.assigned_to(name):
            self.add(line)
        self.tell(*node.outputs)

    def cond(self, node: Node) -> None:
        names = [self.fresh(each) for each in node.outputs]
        for word, region in zip(
            (f"if {self.texts[id(node.inputs[0])].text}:", "else:"), node.regions
        ):
            self.add(word)
            self.depth += 1
            for inner, outer in zip(region.inputs, node.inputs[1:]):
                self.texts[id(inner)] = self.texts[id(outer)]
            self.tell(*region.inputs)
            self.block(region)
            self.give(names, region)
            self.depth -= 1
        self.tell(*node.outputs)

    def give(self, names: list[str], region: Graph) -> None:
        values = [self.texts[id(each)].text for each in region.outputs]
        self.add(f"{', '.join(names)} = {', '.join(values)}" if names else "pass")

    def loop(self, node: Node) -> None:
        test, body = node.regions
        names = [self.fresh(each) for each in node.outputs]
        values = [self.texts[id(each)].text for each in node.inputs]
        self.add(f"{', '.join(names)} = {', '.join(values[: len(names)])}")
        for region in (test, body):
            for inner, text in zip(region.inputs, [*names, *values[len(names) :]]):
                self.texts[id(inner)] = Expression.of_name(text)
        self.add("while True:")
        self.depth += 1
        self.tell(*test.inputs)
        self.block(test)
        self.add(f"if not ({self.texts[id(test.outputs[0])].text}): break")
        self.tell(*body.inputs)
        self.block(body)
        self.give(names, body)
        self.depth -= 1
        self.tell(*node.outputs)

    def function(self, seen: Any = None) -> Any:
        """Return the printed code as a function of arrays."""
        space = {**self.numbers.names, "seen": seen}
        exec(self.source, space)

        def run(*arrays: np.ndarray) -> Any:
            with np.errstate(all="ignore"):
                return space["run"](*arrays)

        return run
