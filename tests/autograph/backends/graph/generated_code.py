"""Hand-written generated code for the tests of the graph backend."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import runtime as rt
from autograph.backends.graph import GraphBackend
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.protocol import Backends
from autograph.operators.control_flow import ControlFlowOperators
from autograph.operators.logical import LogicalOperators
from autograph.operators.state import State
from runtime.executors.interpreter import run
from runtime.graph.graph import Graph
from runtime.graph.verify import verify
from runtime.passes.prune import prune

BACKEND = GraphBackend()
BACKENDS = Backends([BACKEND])
STATEMENTS = ControlFlowOperators(BACKENDS)
LOGICAL = LogicalOperators(BACKENDS)


class Variables:
    """Local variables by name, with the state functions that generated code would have."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    def state(self, *names: str, nouts: int | None = None) -> State:
        def get() -> tuple[object, ...]:
            return tuple(getattr(self, name) for name in names)

        def put(values: tuple[object, ...]) -> None:
            for name, value in zip(names, values, strict=True):
                setattr(self, name, value)

        return State(get, put, names, len(names) if nouts is None else nouts)


class Staged:
    """A function traced once, called with NumPy values."""

    def __init__(self, fn: Callable[..., Any], *specs: rt.TensorSpec) -> None:
        self.graph = Graph("staged")
        inputs = [self.graph.add_input(spec, f"x{k}") for k, spec in enumerate(specs)]
        with self.graph.recording():
            self.result = fn(*inputs)
            leaves = rt.nest.flatten(_without_maybes(self.result))
        self.graph.set_outputs(leaves)
        self.graph = prune(self.graph)
        verify(self.graph)

    def __call__(self, *values: object) -> Any:
        parameters = self.graph.parameters
        arrays = [np.asarray(v, t.dtype.as_numpy_dtype) for v, t in zip(values, parameters)]
        arrays += [rt.convert_to_tensor(c.outer).numpy() for c in self.graph.captures]
        outputs = [_plain(each) for each in run(self.graph, arrays)]
        return rt.nest.unflatten(_without_maybes(self.result), outputs)

    def count(self, op: str) -> int:
        """Return how many nodes of `op` there are, in regions too."""
        return sum(node.op.name == op for node in self.graph.walk())


def _plain(array: Any) -> Any:
    return array.item() if array.ndim == 0 else array.tolist()


def _without_maybes(value: object) -> object:
    leaves = rt.nest.flatten(value)
    plain = [(v.defined, v.value) if isinstance(v, PossiblyUnbound) else v for v in leaves]
    return rt.nest.unflatten(value, plain) if rt.nest.is_nested(value) else plain[0]


INT = rt.TensorSpec((), rt.int32)
FLOAT = rt.TensorSpec((), rt.float32)
BOOL = rt.TensorSpec((), rt.bool)
VECTOR = rt.TensorSpec((None,), rt.float32)
