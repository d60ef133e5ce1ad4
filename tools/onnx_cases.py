"""Corpus programs and op samples as ONNX models, with their results here."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import runtime as rt
from runtime.errors import OpError
from runtime.executors.interpreter import run
from runtime.export.onnx.package import onnx_package
from runtime.export.onnx.rules.arithmetic import texts
from runtime.export.onnx.writing import write_onnx
from runtime.export.report import OTHER_NUMBERS, ExportReport
from runtime.export.traces import Signature
from runtime.graph.graph import Graph
from tests.corpus import Program, undisturbed
from tests.laws.op_samples import Sample
from tools.graphdef_cases import is_same, plain, quiet, sample_graph, traced
from tools.onnx_worker import Answer, Request

GOES_ON = "raises here, goes on there"
OTHERS = "other random numbers"


@dataclass(frozen=True)
class Case:
    """A model with inputs, and its results here.

    Attributes:
        report: the report of the export.
        nodes: the number of nodes of the model, including those inside of nodes.
        request: the model with its inputs.
        values: the results; lists as lists of items.
        variables: the values of the variables that it writes, by the names of the results.
        error: the exception it raised instead.
    """

    report: ExportReport
    nodes: int
    request: Request
    values: dict[str, Any]
    variables: dict[str, np.ndarray]
    error: Exception | None

    def difference(self, answer: Any) -> str | None:
        """Return where an answer differs, or None."""
        failed = answer.error if isinstance(answer, Answer) else str(answer)
        if self.error is not None:
            return None if failed and isinstance(answer, Answer) else self._goes_on()
        if failed:
            return f"fails: {failed}"
        found = dict(zip(self.request.outputs, answer.values, strict=True))
        wanted = {**self._results(found), **self.variables}
        if any(each.reason == OTHER_NUMBERS for each in self.report.omissions):
            return OTHERS if _forms(wanted) == _forms(found) else f"{found!r}, here {wanted!r}"
        return next(
            (
                f"{name} is {found.get(name)!r}, here {value!r}"
                for name, value in wanted.items()
                if name not in found or not is_same(value, found[name])
            ),
            None,
        )

    def _goes_on(self) -> str:
        words = GOES_ON if self.report.omissions else "goes on without a word in the report"
        return f"{words}: {type(self.error).__name__}"

    def _results(self, found: Mapping[str, Any]) -> dict[str, Any]:
        results: dict[str, Any] = {}
        for name, value in self.values.items():
            if isinstance(value, list):
                results.update(_columns(value, name, found))
            else:
                results[name] = value
        return results


def _forms(values: Mapping[str, Any]) -> dict[str, tuple[Any, ...]]:
    """Return the dtypes and shapes of results by name."""
    return {name: (np.asarray(x).dtype.kind, np.shape(x)) for name, x in values.items()}


def _columns(items: Sequence[Any], name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tensors of a list, as far as the names of results ask for them."""
    names = [name, f"{name}.lengths", f"{name}.elements"]
    if any(each in found for each in names):
        return _column([item[0] if item else np.float32(0) for item in items], name, found)
    results: dict[str, Any] = {}
    for number in range(len(items[0]) if items else 0):
        results.update(_column([item[number] for item in items], f"{name}.{number}", found))
    return results


def _column(parts: Sequence[Any], name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    if f"{name}.lengths" in found:
        lengths = np.array([len(part) for part in parts], np.int64)
        inner = [item for part in parts for item in part]
        return {f"{name}.lengths": lengths, **_columns(inner, f"{name}.items", found)}
    if not parts:
        return {}
    if f"{name}.elements" in found:
        arrays = [np.asarray(part) for part in parts]
        shapes = np.array([part.shape for part in arrays], np.int64)
        elements = np.concatenate([part.ravel() for part in arrays])
        return {f"{name}.shapes": shapes, f"{name}.elements": elements}
    return {name: np.stack([np.asarray(part) for part in parts])}


def cases_of(program: Program) -> Iterator[Case]:
    """Stage a program on each of its inputs, export it, and run it.

    Inputs for which tracing raises the exception that Python raises are omitted.

    Raises:
        UnimplementedError: an op has no form in ONNX.
    """
    for case in range(len(program.cases)):
        with undisturbed(program), quiet():
            found = traced(program, case)
            made = None if found is None else case_of(*found)
        if made is not None:
            yield made


def case_of(graph: Graph, arrays: Sequence[Any]) -> Case:
    """Export a graph, and run it on arrays."""
    signature = Signature.of(graph)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.onnx"
        report = write_onnx(signature, path)
        data = path.read_bytes()
    model = onnx_package().load_from_string(data)
    written = _variables(model, signature, graph, arrays)
    pairs = zip(signature.inputs, arrays)
    given = {name: texts(x) for name, x in pairs if isinstance(x, np.ndarray)}
    inputs = {**given, **{name: x._array.copy() for name, x in written.items()}}
    outputs = tuple([each.name for each in model.graph.output])
    values, error = {}, None
    try:
        results = [plain(np.asarray(value)) for value in run(graph, arrays)]
        values = dict(zip(signature.results, results))
    except Exception as raised:
        error = raised
    held = {f"{name}:out": variable._array for name, variable in written.items()}
    count = _count(model.graph)
    return Case(report, count, Request(data, inputs, outputs), values, held, error)


def _variables(
    model: Any, signature: Signature, graph: Graph, arrays: Sequence[Any]
) -> dict[str, rt.Variable]:
    """Return the variables that are inputs of a model, by their names."""
    pairs = zip(signature.inputs, arrays)
    found = {name: x for name, x in pairs if isinstance(x, rt.Variable)}
    rest = [x.outer for x in graph.captures if isinstance(x.outer, rt.Variable)]
    for name in [each.name for each in model.graph.input]:
        if name in signature.inputs:
            continue
        variable = next(x for x in rest if name.startswith(x.handle_name))
        rest.remove(variable)
        found[name] = variable
    return found


def _count(graph: Any) -> int:
    inside = [each.g for node in graph.node for each in node.attribute if each.HasField("g")]
    return len(graph.node) + sum(map(_count, inside))


def sampled(sample: Sample, knows_sizes: bool) -> Case | None:
    """Return a graph of one op; None where a list goes in or comes out."""
    found = sample_graph(sample, knows_sizes)
    return None if found is None else case_of(*found)


def refusal(error: OpError) -> str:
    """Return an error's statement about ops, without the user's lines.

    >>> refusal(OpError("'f' (`x = f()`) does not go into an ONNX model: it is a secret; ask"))
    "'f': it is a secret"
    """
    lines = [line for line in error.message.splitlines() if " does not go into an ONNX " in line]
    parts = [line.partition(" does not go into an ONNX model: ") for line in lines]
    found = [f"{op.partition(' (`')[0]}: {end.rpartition('; ')[0]}" for op, _, end in parts]
    return "; ".join(dict.fromkeys(found)) or " ".join(error.message.split())
