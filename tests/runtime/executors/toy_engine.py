"""An engine for tests: the interpreter on copies of the variables; a lie may change its outcome."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core.tensor import Array
from runtime.executors import interpreter
from runtime.executors.engine import Outcome, Refusal, Status, assigned_inputs
from runtime.graph.graph import Graph
from runtime.state.variable import Variable

Change = Callable[[Outcome], Any]


class Toy:
    """Runs a graph in the interpreter, on copies of the variables; a lie may change the outcome."""

    name = "toy"

    def __init__(self, lie: Change = lambda outcome: outcome, refused: Sequence[str] = ()) -> None:
        self.lie, self.refused, self.runs = lie, refused, 0

    def refusals(self, graph: Graph) -> list[Refusal]:
        nodes = [node for node in graph.nodes if node.op.name in self.refused]
        return [Refusal(node.op.name, "no kernel for it", node.origin) for node in nodes]

    def compile(self, graph: Graph) -> ToyProgram:
        return ToyProgram(self, graph)


class ToyProgram:
    def __init__(self, engine: Toy, graph: Graph) -> None:
        self.engine, self.graph, self.source = engine, graph, f"toy {graph.name}"

    def run(self, inputs: Sequence[Array]) -> Outcome:
        self.engine.runs += 1
        given: list[Any] = list(inputs)
        own: dict[int, Variable] = {}
        for at, (tensor, array) in enumerate(zip(self.graph.inputs, inputs)):
            if getattr(tensor.spec, "kind", "") == "variable":
                given[at] = own[at] = Variable(array.copy(), dtype=tensor.dtype)
        try:
            outputs = interpreter.run(self.graph, given)
        except Exception:
            return self.engine.lie(Outcome(Status.ERROR))
        values = {at: np.asarray(each.numpy()) for at, each in own.items()}
        for at in values.keys() - assigned_inputs(self.graph):
            if (values[at] == inputs[at]).all():
                del values[at]
        return self.engine.lie(Outcome(Status.OK, outputs, values))
