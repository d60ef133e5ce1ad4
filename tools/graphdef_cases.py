"""Corpus programs and op samples as GraphDefs, with their results here."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import autograph as ag
import runtime as rt
from autograph.errors import AutographError
from autograph.functions.concrete_functions.concrete_function import ConcreteFunction
from runtime.core.spec import TensorSpec
from runtime.core.variant import unboxed
from runtime.errors import OpError
from runtime.executors.interpreter import run
from runtime.export.graphdef.item_types import ItemTypes
from runtime.export.graphdef.messages import GraphDef
from runtime.export.graphdef.to_graphdef import graph_def
from runtime.export.try_statements import without_tries
from runtime.graph.graph import Graph
from runtime.ops.files import png
from runtime.ops.files.png_chunks import SIGNATURE
from runtime.ops.op import REGISTRY
from runtime.passes.prune import prune
from tests.corpus import Program, undisturbed
from tests.laws.op_samples import Sample
from tools.graphdef_worker import Answer, Request

_RELATIVE = {2: 1e-2, 4: 1e-5, 8: 1e-9}


@dataclass(frozen=True)
class Case:
    """A graph with inputs, and its results here.

    Attributes:
        graph: the graph that TensorFlow loads.
        request: the same with the inputs.
        values: the results; lists as lists of items.
        variables: the values of its variables after the run.
        error: the exception it raised instead.
    """

    graph: GraphDef
    request: Request
    values: list[Any]
    variables: list[np.ndarray]
    error: Exception | None

    @property
    def size(self) -> str:
        """The number of its nodes, for the page."""
        return size_of(self.graph)

    def difference(self, answer: Answer | str) -> str | None:
        """Return where an answer differs, or None."""
        if isinstance(answer, str):
            return f"does not load: {answer}"
        if not answer.is_loaded:
            return f"does not load: {answer.error}"
        if self.error is not None:
            return None if answer.error else f"gives {answer.values}, here {self.error!r}"
        if answer.error:
            return f"fails: {answer.error}"
        pairs = zip(
            [*self.values, *self.variables], [*answer.values, *answer.variables], strict=True
        )
        return next((f"gives {b!r}, here {a!r}" for a, b in pairs if not is_same(a, b)), None)


def size_of(graph: GraphDef) -> str:
    """Return the number of nodes, including those of functions."""
    functions = graph.library.function
    count = len(graph.node) + sum(len(function.node_def) for function in functions)
    return f"{count} nodes, {len(functions)} functions" if functions else f"{count} nodes"


def is_same(ours: Any, theirs: Any) -> bool:
    """Return whether two results agree in dtype, shape and value, floats up to rounding.

    >>> is_same(np.array([1.0]), np.array([1.0 + 1e-12]))
    True
    """
    if isinstance(ours, list):
        # An item without parts is a number there, since a TensorFlow list needs a dtype.
        return len(ours) == len(theirs) and all(
            all(map(is_same, item, other)) for item, other in zip(ours, theirs)
        )
    if ours.dtype.kind == "O":
        found = np.array(theirs, object)
        return ours.shape == found.shape and _texts(ours) == _texts(found)
    theirs = np.asarray(theirs)
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return False
    if ours.dtype.kind in "fc":
        size = ours.dtype.itemsize // (2 if ours.dtype.kind == "c" else 1)
        return np.allclose(ours, theirs, rtol=_RELATIVE[size], atol=1e-6, equal_nan=True)
    return bool((ours == theirs).all())


def _texts(array: np.ndarray) -> list[Any]:
    """Return the texts of an array; PNGs, which are compressed in many ways, by their samples."""
    texts = [text.encode() if isinstance(text, str) else text for text in array.ravel().tolist()]
    return [png.decode(x, 0, True).tolist() if x.startswith(SIGNATURE) else x for x in texts]


def cases_of(program: Program) -> Iterator[Case]:
    """Stage a program on each of its inputs, export it, and run it.

    Inputs for which tracing raises the exception that Python raises are omitted.

    Raises:
        UnimplementedError: an op has no counterpart.
    """
    for case in range(len(program.cases)):
        with undisturbed(program), quiet():
            found = traced(program, case)
            if found is not None:
                yield case_of(*found)


def traced(program: Program, case: int) -> tuple[Graph, Sequence[Any]] | None:
    """Return the graph of a call, and the arrays it is run on."""
    found = staged(program, case)
    return None if found is None else (found[0].graph, found[1])


def staged(program: Program, case: int) -> tuple[ConcreteFunction, Sequence[Any]] | None:
    """Return the trace of a call, and the arrays it is run on; None if it cannot be traced."""
    function = ag.function(program.function)
    try:
        concrete = function.get_concrete_function(*program.tensors(case))
    except Exception:
        return None
    given: list[Sequence[Any]] = []

    def execute(arrays: Sequence[Any]) -> Sequence[Any]:
        given.append([x if isinstance(x, rt.Variable) else np.asarray(x) for x in arrays])
        raise _Seen

    concrete.executable.run = execute
    with contextlib.suppress(_Seen):
        function(*program.tensors(case))
    return (concrete, given[0]) if given else None


class _Seen(Exception):
    """Ends a call after its arrays are recorded."""


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Print nothing meanwhile."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


def case_of(graph: Graph, arrays: Sequence[Any]) -> Case:
    """Export a graph, and run it on arrays."""
    exported, pruned = graph_def(graph), prune(without_tries(graph, "a GraphDef"))
    outer = [held.outer for held in pruned.captures]
    captured = [each for each in outer if isinstance(each, rt.Variable)]
    request = _request(exported, pruned, arrays, captured)
    variables = [each for each in (*arrays, *captured) if isinstance(each, rt.Variable)]
    values, error = [], None
    try:
        values = [plain(np.asarray(value)) for value in run(graph, arrays)]
    except Exception as raised:
        error = raised
    held = [variable._array for variable in variables]
    return Case(exported, request, values, held, error)


def _request(
    exported: GraphDef, pruned: Graph, arrays: Sequence[Any], variables: Sequence[rt.Variable]
) -> Request:
    types = ItemTypes(pruned)
    forms = tuple(types.form(tensor) for tensor in pruned.outputs)
    count = sum(1 if isinstance(form, str) else len(form) for form in forms)
    placeholders = [node.name for node in exported.node if node.op == "Placeholder"]
    given = dict(zip(placeholders, [*arrays, *variables], strict=True))
    held = {name: x._array.copy() for name, x in given.items() if isinstance(x, rt.Variable)}
    return Request(
        exported.SerializeToString(),
        {name: array for name, array in given.items() if name not in held},
        held,
        tuple(node.name for node in exported.node[len(exported.node) - count :]),
        forms,
    )


def plain(value: np.ndarray) -> Any:
    """Return a result as it is, or for a list its items as tuples."""
    if value.dtype.kind != "V":
        return value
    return [tuple(plain(np.asarray(part)) for part in item) for item in unboxed(value)]


def sampled(sample: Sample, knows_sizes: bool) -> Case | None:
    """Return a case of one op; None where a list goes in or comes out."""
    found = sample_graph(sample, knows_sizes)
    return None if found is None else case_of(*found)


def sample_graph(sample: Sample, knows_sizes: bool) -> tuple[Graph, list[np.ndarray]] | None:
    """Return a graph of one op and its inputs; None where a list goes in or comes out."""
    arrays = [array.copy() for array in sample.inputs]
    graph = Graph("sample")
    specs = [TensorSpec.of_array(array) for array in arrays]
    if not knows_sizes:
        specs = [spec.with_shape((None,) * len(spec.shape)) for spec in specs]
    if any(spec.dtype.is_variant for spec in specs):
        return None
    inputs = [graph.add_input(spec, f"x{at}") for at, spec in enumerate(specs)]
    outputs = graph.record(REGISTRY[sample.op], inputs, sample.attrs)
    if any(output.dtype.is_variant for output in outputs):
        return None
    graph.set_outputs(outputs)
    return graph, arrays


def refusal(error: OpError | AutographError) -> str:
    """Return an error's statement about an op or a function, without the user's line."""
    message = error.message if isinstance(error, OpError) else str(error).splitlines()[0]
    op, _, reason = message.partition(" does not go into a GraphDef: ")
    if not reason:
        return message.rpartition(" cannot be saved: ")[2].partition(":")[0]
    return f"{op.partition(' (`')[0]}: {reason.rpartition(';')[0]}"
