"""Corpus programs and op samples as TensorFlow Lite models, with their results here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.errors import OpError
from runtime.executors.interpreter import run
from runtime.export.report import Omission
from runtime.export.tflite.converter_process import ConversionResult as Refusal
from runtime.export.tflite.writing import NAN, LoweredModule, prepared
from runtime.export.traces import Signature
from runtime.graph.graph import Graph
from tests.corpus import Program, undisturbed
from tests.laws.op_samples import Sample
from tools.graphdef_cases import is_same, plain, quiet, sample_graph, traced
from tools.model_pages import GOES_ON
from tools.tflite_worker import Answer, Request


@dataclass(frozen=True)
class Case:
    """A program for the converter with inputs, and its results here.

    Attributes:
        lowered: the program.
        omissions: the parts that the model does not have.
        request: the program with its inputs.
        values: the results of each run; lists as lists of items.
        error: the exception that a run raised instead.
    """

    lowered: LoweredModule
    omissions: list[Omission]
    request: Request
    values: list[list[Any]]
    error: Exception | None

    @property
    def nodes(self) -> int:
        """The number of ops that the converter is given."""
        return self.request.program["module"].count('"tf.')

    def difference(self, answer: Any) -> str | None:
        """Return where an answer differs, or None.

        Raises:
            UnimplementedError: the converter refuses the program.
        """
        if not isinstance(answer, Answer):
            return f"fails: {answer}"
        if answer.refused is not None:
            raise self.lowered.refused(Refusal(**answer.refused))
        runs = zip(self.values, answer.values)
        found = next((each for one, other in runs if (each := self._compared(one, other))), None)
        if found or len(answer.values) > len(self.values):
            return found or self._goes_on()
        if answer.error and self.error is None:
            return f"fails: {answer.error}"
        return None

    def _compared(self, values: Sequence[Any], others: Sequence[Any]) -> str | None:
        names, flat = self.request.outputs, list(_flat(values, self.request.outputs))
        pairs = zip(names, flat, others, strict=True)
        return next((f"{n} is {b!r}, here {a!r}" for n, a, b in pairs if not _is_same(a, b)), None)

    def _goes_on(self) -> str:
        told = any(each.subject != NAN for each in self.omissions)
        words = GOES_ON if told else "goes on without a word in the report"
        return f"{words}: {type(self.error).__name__}"


def _is_same(ours: Any, theirs: Any) -> bool:
    if ours is None:
        return bool(np.shape(theirs)[:1] == (0,))
    return is_same(ours, theirs)


def _flat(values: Sequence[Any], names: Sequence[str]) -> Iterator[Any]:
    """Yield the tensors of results: for a list one per part of its items, None for no items."""
    place = 0
    for value in values:
        if not isinstance(value, list):
            place += 1
            yield value
            continue
        head, _, part = names[place].rpartition(".")
        width = 1
        if part == "0":
            width = sum(1 for name in names if name.rpartition(".")[0] == head)
        for number in range(width):
            place += 1
            # An item without parts is the number 0.
            parts = [np.asarray(each[number] if each else np.float32(0)) for each in value]
            yield np.stack(parts) if value else None


def cases_of(program: Program) -> Iterator[Case]:
    """Stage a program on each of its inputs, lower it, and run it.

    Inputs for which tracing raises the exception that Python raises are omitted.

    Raises:
        UnimplementedError: an op has no form in a model.
    """
    for case in range(len(program.cases)):
        with undisturbed(program), quiet():
            found = traced(program, case)
            made = None if found is None else case_of(*found)
        if made is not None:
            yield made


def case_of(graph: Graph, arrays: Sequence[Any]) -> Case:
    """Lower a graph, and run it on arrays; twice if it writes variables."""
    signature = prepared(Signature.of(graph))
    lowered = LoweredModule([signature])
    (function,) = lowered.functions
    runs = 2 if any(node.op.effects == "write" for node in graph.walk()) else 1
    inputs = {name: np.asarray(x) for name, x in zip(function["inputs"], arrays)}
    request = Request(lowered.request, inputs, tuple(function["outputs"]), runs)
    values, error = [], None
    try:
        for _ in range(runs):
            values.append([plain(np.asarray(value)) for value in run(graph, arrays)])
    except Exception as raised:
        error = raised
    return Case(lowered, lowered.omissions(), request, values, error)


def sampled(sample: Sample, knows_sizes: bool) -> Case | None:
    """Return a graph of one op; None where a list goes in or comes out."""
    found = sample_graph(sample, knows_sizes)
    return None if found is None else case_of(*found)


def refusal(error: OpError) -> str:
    """Return an error's statement about ops, without the user's lines.

    >>> refusal(UnimplementedError("'f' (`f()`) does not go into a TensorFlow Lite model: a; b"))
    "'f': a"
    """
    words = " does not go into a TensorFlow Lite model: "
    parts = [line.partition(words) for line in error.message.splitlines() if words in line]
    found = [f"{op.partition(' (`')[0]}: {end.rpartition('; ')[0]}" for op, _, end in parts]
    return "; ".join(dict.fromkeys(found)) or " ".join(error.message.split())
