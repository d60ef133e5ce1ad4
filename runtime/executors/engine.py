"""Engines: libraries that run whole graphs, such as XLA.

An engine computes with arrays and has no exceptions of Python's: it says in a status whether a run
is good. Outputs and new values of variables count only then. Of any other run nothing is kept, and
the NumPy executor runs the call again, which raises what Python raises.

    engine.compile(graph).run([x, v])  ->  Outcome(OK, outputs=[y], values={1: new value of v})
                                       ->  Outcome(ERROR)                an error: NumPy runs it
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from runtime.core.context import Origin
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, EagerTensor, SymbolicTensor
from runtime.errors import EngineWarning, UnimplementedError, with_article
from runtime.graph.callee import called_graphs
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.effects.variables import CHANGING
from runtime.passes.cse import changed_variables
from runtime.state.variable import Variable

# Ops whose only effect is to raise an error, or to go on with one.
_RAISING = frozenset(
    (
        *("assert", "assert_data", "assert_rank", "assert_relation", "assert_shapes"),
        *("check", "check_numerics", "refuse", "raise", "raise_again", "leave_try", "note_state"),
    )
)


class Status(Enum):
    """The end of an engine's run.

    Attributes:
        OK: outputs and values are right.
        ERROR: Python would raise an error here, or the engine cannot tell.
        ROOM: a list, or another value without a fixed size, has outgrown its buffer.
    """

    OK = "ok"
    ERROR = "error"
    ROOM = "room"


class Outcome(NamedTuple):
    """The result of an engine's run.

    Attributes:
        status: whether the rest counts.
        outputs: one array per output of the graph.
        values: the new value of each variable that the run has assigned, by the number of the
            graph's input that stands for the variable.
    """

    status: Status
    outputs: Sequence[Any] = ()
    values: Mapping[int, Any] = {}


class Refusal(NamedTuple):
    """A node that an engine cannot run.

    Attributes:
        op: the name of the op.
        reason: the reason, as the end of "the engine has ...".
        origin: the user's line.
    """

    op: str
    reason: str
    origin: Origin | None = None


@runtime_checkable
class Program(Protocol):
    """A graph that an engine has compiled.

    Attributes:
        source: the program as text, for people.
    """

    @property
    def source(self) -> str: ...

    def run(self, inputs: Sequence[Array]) -> Outcome:
        """Run on one array per input of the graph; those of variables are their values.

        The arrays are read-only.
        """


@runtime_checkable
class Engine(Protocol):
    """A library that runs whole graphs.

    Attributes:
        name: its name, as in `ag.function(executor=name)`.
    """

    @property
    def name(self) -> str: ...

    def refusals(self, graph: Graph) -> Sequence[Refusal]:
        """Return the nodes of a graph that it cannot run; it is compiled if there is none."""

    def compile(self, graph: Graph) -> Program:
        """Return a graph, which is optimized, as a program."""


class EngineFunction:
    """A graph that an engine runs, with the NumPy executor for the runs that are not good.

    Args:
        engine: the engine.
        graph: the optimized graph.
        run_again: runs the graph on the same arguments in the NumPy executor.

    Attributes:
        source: the program of the engine as text.
        reruns: the number of runs that were thrown away.

    Raises:
        UnimplementedError: the engine refuses the graph; the message names each node and its line.
    """

    def __init__(
        self, engine: Engine, graph: Graph, run_again: Callable[[Sequence[Any]], Sequence[Any]]
    ) -> None:
        refused = refusals(engine, graph)
        if refused:
            raise UnimplementedError(_told(engine, refused), refused[0].origin)
        self._engine, self._run_again = engine, run_again
        self._program = engine.compile(graph)
        self._captured = [capture.outer for capture in graph.captures]
        self._outputs = [tensor.spec for tensor in graph.outputs]
        self._written = _written_inputs(graph)
        self.reruns = 0

    @property
    def source(self) -> str:
        """The program of the engine as text."""
        return self._program.source

    def function(self, *arrays: Any) -> Sequence[Any]:
        """Run on one array, or variable, per parameter of the graph."""
        return self.run(arrays)

    def run(self, arrays: Sequence[Any]) -> Sequence[Any]:
        """Run on one array, or variable, per parameter of the graph.

        Raises:
            Exception: the error that the NumPy executor raises for these arguments.
        """
        given = [*arrays, *self._captured]
        outcome = self._outcome(given)
        if outcome is None:
            self.reruns += 1
            return self._run_again(arrays)
        with CHANGING:
            for at, value in outcome.values.items():
                given[at].store(np.array(value))
        return outcome.outputs

    def _outcome(self, given: Sequence[Any]) -> Outcome | None:
        """Return the outcome of a good run; None for any other."""
        variables = [id(each) for each in given if isinstance(each, Variable)]
        if len(set(variables)) < len(variables):
            return None  # the program would take one variable for two
        try:
            inputs = list(map(_value_of, given))
        except AttributeError:
            return None  # a variable has no value yet
        try:
            outcome = self._program.run(inputs)
            wrong = self._difference(outcome, given)
        except Exception as error:
            wrong = f"raised {with_article(type(error).__name__)}: {error}"
        if wrong:
            warnings.warn(
                f"the engine {self._engine.name} {wrong}: its run is thrown away, and the NumPy "
                "executor runs the call; report this to the authors of the engine",
                EngineWarning,
                stacklevel=2,
            )
            return None
        return outcome if outcome.status is Status.OK else None

    def _difference(self, outcome: Any, given: Sequence[Any]) -> str:
        """Return how an outcome breaks the contract; an empty text if it does not."""
        if not isinstance(outcome, Outcome) or not isinstance(outcome.status, Status):
            return f"returned {with_article(type(outcome).__name__)} without a status"
        if outcome.status is not Status.OK:
            return ""
        if len(outcome.outputs) != len(self._outputs):
            return f"returned {len(outcome.outputs)} of {len(self._outputs)} outputs"
        for at, (array, spec) in enumerate(zip(outcome.outputs, self._outputs)):
            if not _fits(array, spec):
                return f"returned {_shown(array)} as output {at}, which is {_of(spec)}"
        for at, value in outcome.values.items():
            if at not in self._written:
                return f"assigned input {at}, which the graph does not assign"
            spec = given[at].handle_spec
            if not _fits(value, spec):
                return f"assigned {_shown(value)} to variable '{given[at].name}' of {_of(spec)}"
        return ""


def refusals(engine: Engine, graph: Graph) -> list[Refusal]:
    """Return the nodes of an optimized graph that an engine cannot run."""
    outside = [
        Refusal("capture", f"no value for {tensor.node.name!r}, which is no tensor or variable")
        for capture in graph.captures
        if not isinstance(capture.outer, (EagerTensor, Variable))
        for tensor in [capture.inner]
    ]
    graphs = [graph, *(called.graph for called in called_graphs(graph))]
    lasting = [
        Refusal(node.op.name, "no way to take it back", node.origin)
        for each in graphs
        for node in each.walk()
        if _is_lasting(node)
    ]
    return [*outside, *lasting, *engine.refusals(graph)]


def _is_lasting(node: Node) -> bool:
    """Return whether a node has an effect that stays after its run is thrown away."""
    if node.op.effects == "write":
        return changed_variables(node) is None
    return node.op.effects in ("io", "random") and node.op.name not in _RAISING


def _written_inputs(graph: Graph) -> frozenset[int]:
    """Return the numbers of the inputs whose variables a run may assign."""
    changed = {id(each) for node in graph.nodes for each in _changed(node)}
    return frozenset(at for at, each in enumerate(graph.inputs) if id(each) in changed)


def _changed(node: Node) -> Sequence[SymbolicTensor]:
    known = changed_variables(node)
    return node.inputs if known is None else known


def _told(engine: Engine, refused: Sequence[Refusal]) -> str:
    lines = [
        f"'{each.op}' does not run in the engine {engine.name}, which has {each.reason}"
        + (f"\n  at {each.origin}" if each.origin and at else "")
        for at, each in enumerate(refused)
    ]
    end = "leave out executor=, or write fallback=True, with which the NumPy executor runs it"
    return "\n".join([*lines, end])


def _value_of(given: Any) -> Array:
    """Return a read-only view of the value of an argument.

    Raises:
        AttributeError: it is a variable without a value.
    """
    array = given if isinstance(given, np.ndarray) else given._array
    view: Array = array.view()
    view.flags.writeable = False
    return view


def _fits(array: Any, spec: TensorSpec) -> bool:
    return (
        isinstance(array, np.ndarray)
        and array.dtype == spec.dtype.np_dtype
        and spec.shape.fits(array.shape)
    )


def _shown(array: Any) -> str:
    if not isinstance(array, np.ndarray):
        return with_article(type(array).__name__)
    return f"{array.dtype}{list(array.shape)}"


def _of(spec: TensorSpec) -> str:
    return f"{spec.dtype.name} of shape {spec.shape}"
