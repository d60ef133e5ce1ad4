"""Traces a graph for export: without exceptions, and with lists of fixed length only."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np

from runtime.errors import OpError, UnimplementedError
from runtime.executors.jax.lowering import Refused, results_of
from runtime.executors.jax.program import CORE_MODULES as CORE_MODULES  # enters their rules
from runtime.executors.jax.rules.jax_modules import is_symbol, lax
from runtime.executors.jax.run_state import RunState
from runtime.executors.jax.values.pytrees import Dims, is_array, is_known
from runtime.export.omitted_checks import check_name
from runtime.export.refusals import refused_op
from runtime.export.report import Omission
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.op import MIXED

FILE = "a StableHLO file"
BATCH = "batch"
"""The symbol of the first axis of each input."""
_ELEMENTWISE = ("select", "sigmoid_cross_entropy")
_OF_SIZES: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "floordiv": operator.floordiv,
    "floormod": operator.mod,
    "cast": lambda size: size,
    "identity": lambda size: size,
}
# The numbers of bits of the exponent and of the fraction.
_NARROW = {"bfloat16": (8, 7), "float16": (5, 10)}


# JAX's words where it cannot tell whether an array has as many rows as are written or read.
_LEAST = re.compile(r"^Symbolic dimension comparison '([^']+)' >= '([^']+)' is inconclusive")


class LoweringState:
    """The checks that a trace leaves out of its file, and the node that it is at.

    Attributes:
        omissions: the checks and errors that the file does not have.
        node: the latest node.
        roomy: the nodes that append to lists with capacity for all items.
        limits: the conditions under which slices have all the rows that they ask for.
    """

    def __init__(self) -> None:
        self.omissions: dict[Omission, None] = {}
        self.node: Node | None = None
        self.roomy: set[Node] = set()
        self.limits: dict[str, None] = {}

    def omit(self) -> None:
        """Note that the latest node raises nothing in the file."""
        node = self.node
        if node is None:
            return
        name = check_name(node)
        reason = "the file goes on with some value, where Python raises an error"
        if name is not None:
            reason = "a file has no errors: it goes on as if there were none"
        self.omissions[Omission(name or node.op.name, reason, node.origin)] = None


class ExportRun(RunState):
    """The state at one point of a graph that is exported."""

    trace: LoweringState
    is_file = True

    @classmethod
    def beginning(cls, trace: LoweringState, variables: dict[Any, Any]) -> ExportRun:
        """Return the state at the start of a graph."""
        made = cls(walk, 1, dict(variables))
        made.trace = trace
        return made

    def inside(self, variables: dict[Any, Any], status: Any = None) -> ExportRun:
        """Return the state at the start of a region, which changes on its own."""
        return self._shared(type(self).beginning(self.trace, variables))

    def fail(self, condition: Any) -> None:
        """Note an error that the file does not have."""
        if not (is_known(condition) or isinstance(condition, bool)) or np.any(condition):
            self.trace.omit()

    def note_limit(self, condition: str) -> None:
        """Note a condition on symbols under which the latest node fits."""
        self.trace.limits[condition] = None

    @property
    def has_room(self) -> bool:
        """True if the list that the latest node appends to is known to have capacity."""
        return self.trace.node in self.trace.roomy

    def grows(self, nodes: Iterable[Any], has_room: bool) -> None:
        """Note whether nodes append to a list that has capacity for all items."""
        (self.trace.roomy.update if has_room else self.trace.roomy.difference_update)(nodes)

    def outgrow(self, condition: Any) -> None:
        """Refuse a list that may outgrow its capacity: a file cannot be traced again with more.

        Raises:
            UnimplementedError: always, unless it is known that the list does not.
        """
        if self.has_room or (is_known(condition) and not np.any(condition)):
            return
        node = self.trace.node
        kind = "list" if node is None or node.op.name.startswith("list_") else "tensor"
        raise UnimplementedError(
            f"a StableHLO file cannot have a {kind} whose length only a run knows: give the sizes "
            "of the inputs in the signature, or write the rows into a tensor of known size",
            None if node is None else node.origin,
        )


def walk(run: Any, graph: Graph, inputs: Sequence[Any]) -> list[Any]:
    """Trace a graph on the values of its inputs, and return its outputs.

    Raises:
        UnimplementedError: JAX cannot run a node at these shapes; the error has the user's line.
    """
    values = dict(zip(map(id, graph.inputs), inputs))
    for node in graph.nodes:
        run.trace.node = node
        inputs = [values[id(each)] for each in node.inputs]
        results = list(map(_rounded, _traced(run, node, inputs)))
        if node.op.name in _OF_SIZES:
            _note_size(run, node, inputs, results[0])
        values.update(zip(map(id, node.outputs), results))
    found = [values[id(each)] for each in graph.outputs]
    return [each.array() if isinstance(each, Dims) else each for each in found]


def _rounded(value: Any) -> Any:
    """Return a narrow float as its dtype has it: XLA keeps more digits from op to op."""
    if not is_array(value) or is_known(value) or value.dtype.name not in _NARROW:
        return value
    return lax.reduce_precision(value, *_NARROW[value.dtype.name])


def _note_size(run: Any, node: Node, inputs: Sequence[Any], result: Any) -> None:
    """Note the result of arithmetic on sizes."""
    sizes = [run.known_size(each) for each in inputs]
    is_divided = node.op.name in ("floordiv", "floormod")
    if None in sizes or not any(map(is_symbol, sizes)) or (is_divided and sizes[1] == 0):
        return
    run.note_size(result, _OF_SIZES[node.op.name](*sizes))


def _traced(run: Any, node: Node, inputs: list[Any]) -> Sequence[Any]:
    try:
        return results_of(run, node, inputs)
    except Refused as refused:
        refusal = refused.refusal
        reason = f"JAX has {refusal.reason}"
        raise refused_op(refusal.op, refusal.origin, reason, FILE) from None
    except OpError:
        raise
    except Exception as error:
        # JAX cannot tell sizes apart that only a run knows.
        for condition in (*_equal_sizes(node, inputs), *_LEAST.findall(str(error))):
            run.note_limit(condition if isinstance(condition, str) else " >= ".join(condition))
        reason = str(error).partition("\n")[0].rstrip(".")
        raise UnimplementedError(
            f"'{node.op.name}' does not go into a StableHLO file with sizes that only a run "
            f"knows: give them in the signature ({reason})",
            node.origin,
        ) from error


def _equal_sizes(node: Node, inputs: Sequence[Any]) -> Iterator[str]:
    """Yield the conditions on single symbols under which the operands of a node fit each other."""
    shapes = [tuple(each.shape) for each in inputs if hasattr(each, "shape")]
    if node.op.name == "matmul":
        shapes = [_summed(shapes[0], node, "a", -1), _summed(shapes[1], node, "b", -2)]
    elif node.op.operand_checks != MIXED and node.op.name not in _ELEMENTWISE:
        return
    for sizes in zip_longest(*(reversed(shape) for shape in shapes), fillvalue=1):
        different = [each for each in dict.fromkeys(sizes) if each != 1]
        names = [each for each in different if str(each).isidentifier()]
        if names and BATCH not in map(str, different):
            yield from (f"{names[0]} == {each}" for each in different if each is not names[0])


def _summed(shape: tuple[Any, ...], node: Node, operand: str, axis: int) -> tuple[Any, ...]:
    """Return the size of the axis that a product of matrices sums over; a vector has no other."""
    is_turned = node.attrs.get(f"transpose_{operand}")
    return (shape[-1] if len(shape) == 1 else shape[-3 - axis if is_turned else axis],)
