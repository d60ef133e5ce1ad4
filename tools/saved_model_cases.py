"""Corpus programs as SavedModels, with their results here."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import autograph as ag
from autograph.backends.graph.values.object_values import ArrayRecord
from autograph.backends.graph.values.value_spec import ContainerSpec, ItemsSpec, OptionalSpec
from autograph.exporting.export import attribute_of
from autograph.functions.concrete_functions.concrete_function import ConcreteFunction
from autograph.functions.results.materialize import Materialized
from autograph.saved_model.contents import traced_function
from runtime import nest
from runtime.core.spec import TensorSpec
from runtime.executors.interpreter import run
from runtime.export.graphdef.messages import GraphDef
from runtime.export.saved_model.messages import SavedModel
from runtime.export.saved_model.writer import FILE
from runtime.export.traces import Signature, mapped
from tests.corpus import Program, undisturbed
from tools.graphdef_cases import is_same, quiet, size_of, staged
from tools.graphdef_worker import Answer
from tools.saved_model_worker import Request, plain


@dataclass(frozen=True)
class Case:
    """A directory with inputs, and the results of the function here.

    Attributes:
        size: the number of its nodes, for the page.
        request: the directory, and the inputs for the function and for its signature.
        value: the result of the function.
        served: the result of the signature, by name.
        variables: the values of its variables after the run.
        error: the exception it raised instead.
    """

    size: str
    request: Request
    value: Any
    served: dict[str, np.ndarray]
    variables: list[np.ndarray]
    error: Exception | None

    def difference(self, answers: tuple[Answer, Answer] | str) -> str | None:
        """Return where the answers of the function and of its signature differ, or None."""
        if isinstance(answers, str):
            return answers
        for answer, expected in zip(answers, (self.value, self.served), strict=True):
            found = self._difference(answer, expected)
            if found is not None:
                return found
        return None

    def _difference(self, answer: Answer, expected: Any) -> str | None:
        if not answer.is_loaded:
            return f"does not load: {answer.error}"
        if self.error is not None:
            return None if answer.error else f"gives {answer.values}, here {self.error!r}"
        if answer.error:
            return f"fails: {answer.error}"
        (value,) = answer.values
        if not is_same_structure(expected, value):
            return f"gives {value!r}, here {expected!r}"
        pairs = zip(self.variables, answer.variables, strict=True)
        return next((f"leaves {b!r}, here {a!r}" for a, b in pairs if not is_same(a, b)), None)


def is_same_structure(ours: Any, theirs: Any) -> bool:
    """Return whether two structures of results agree.

    >>> is_same_structure({"a": [np.array(1)]}, {"a": [np.array(1)]})
    True
    """
    if ours is None or theirs is None:
        return ours is theirs
    if isinstance(ours, dict):
        same = isinstance(theirs, dict) and ours.keys() == theirs.keys()
        return same and all(is_same_structure(ours[key], theirs[key]) for key in ours)
    if isinstance(ours, (list, tuple)):
        same = type(ours) is type(theirs) and len(ours) == len(theirs)
        return same and all(map(is_same_structure, ours, theirs))
    return is_same(ours, theirs)


def cases_of(program: Program, folder: str) -> Iterator[Case]:
    """Stage a program on each of its inputs, export it, and run it.

    Inputs for which tracing raises the exception that Python raises are omitted.

    Args:
        program: the program.
        folder: an empty folder, in which each case has one.

    Raises:
        UnimplementedError: an op has no counterpart.
        SignatureError: the program takes or returns what no file can hold.
    """
    for case in range(len(program.cases)):
        with undisturbed(program), quiet():
            found = staged(program, case)
            if found is not None:
                yield _case(*found, os.path.join(folder, str(case)))


def _case(concrete: ConcreteFunction, arrays: Sequence[Any], folder: str) -> Case:
    ag.export(concrete, folder)
    function = traced_function(concrete)
    named = Signature.of_trace(concrete.name, function, function.traces[0])
    given = iter(arrays)
    args, kwargs = mapped(
        named.trace.given, lambda x: next(given) if isinstance(x, TensorSpec) else x
    )
    request = Request(
        folder, attribute_of(concrete.name), args, kwargs, dict(zip(named.inputs, arrays))
    )
    value, served, error = None, {}, None
    try:
        results: list[Any] = run(named.trace.graph, arrays)
        returned = concrete.structure.make(run(concrete.graph, arrays))
        _put(returned, named.trace.result, concrete.structure.builders, results)
        result = mapped(named.trace.result, lambda at: None if at is None else results[at])
        value = plain(result, np.asarray)
        served = {name: results[at] for name, at in named.outputs.items()}
    except Exception as raised:
        error = raised
    variables = [each._array for each in concrete.variables]
    return Case(size_of(_graph(folder)), request, value, served, variables, error)


def _put(value: Any, like: Any, builder: Any, results: list[Any]) -> None:
    """Put the parts of a result under the numbers of outputs, in the form that files have."""
    if isinstance(builder, Materialized):
        _put_all([value], like, builder.value_spec, results, is_single=True)
    elif isinstance(like, int):
        results[like] = np.asarray(value)
    elif like is not None:
        levels: Any = map(nest.children, (value, like, builder))
        for part, place, made in zip(*levels, strict=True):
            _put(part, place, made, results)


def _put_all(
    values: Sequence[Any], like: Any, spec: Any, results: list[Any], is_single: bool = False
) -> None:
    """Put a part of each item of a list, of one spec, under the numbers of outputs."""
    if isinstance(spec, ItemsSpec):
        items = [each for value in values for each in value]
        if not is_single:
            results[like["row_lengths"]] = np.array([len(each) for each in values], np.int32)
            like = like["values"]
        _put_all(items, like, spec.element, results)
    elif isinstance(spec, OptionalSpec):
        flags = np.array([each is not None for each in values], bool)
        results[like["has_value"]] = flags[0] if is_single else flags
        if flags.all():  # the value of None is arbitrary
            _put_all(values, like["value"], spec.value, results, is_single)
    elif isinstance(spec, ContainerSpec) and isinstance(spec.like, ArrayRecord):
        _put_all(values, like, spec.children[0], results, is_single)
    elif isinstance(spec, ContainerSpec):
        rows: list[Any] = [nest.children(each) for each in values]
        places: Any = nest.children(like)
        for at, (place, part) in enumerate(zip(places, spec.children, strict=True)):
            _put_all([row[at] for row in rows], place, part, results, is_single)
    elif like is not None:
        found = results[like]
        arrays = [np.asarray(each) for each in values]
        none = np.zeros((0, *found.shape[1:]), found.dtype)
        results[like] = arrays[0] if is_single else np.stack(arrays) if arrays else none


def _graph(folder: str) -> GraphDef:
    with open(os.path.join(folder, FILE), "rb") as file:
        (meta,) = SavedModel.FromString(file.read()).meta_graphs
    graph: GraphDef = meta.graph_def
    return graph
