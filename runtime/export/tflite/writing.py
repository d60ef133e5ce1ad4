"""Writes programs as TensorFlow Lite models: signatures, variables, checks and files."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from runtime.core.files import write_atomically
from runtime.core.spec import TensorSpec
from runtime.errors import ArgumentValueError, GraphError, UnimplementedError
from runtime.export.graphdef.function_body import NodeFacts
from runtime.export.graphdef.messages import FunctionDef
from runtime.export.graphdef.to_function import LibraryFunction, library_function
from runtime.export.integer_bounds import (
    INDEXED,
    failing_checks,
    overflow_omissions,
    unbounded_indices,
)
from runtime.export.omitted_checks import CHECKS, check_name
from runtime.export.refusals import refused_nodes
from runtime.export.report import ExportReport, Omission, refuse_omissions
from runtime.export.saved_model.writer import write_saved_model
from runtime.export.tflite.converter import chosen_converter, converted
from runtime.export.tflite.converter_process import (
    ConversionRequest,
    ConversionResult,
    NamedFunction,
)
from runtime.export.tflite.mlir_function import NOT_COMPUTED
from runtime.export.tflite.module import Given, ModuleText, SharedVariable
from runtime.export.tflite.rules import (
    BY_TENSORFLOW,
    NAME,
    TFLITE,
    refusals,
    tf_reason,
    unsupported,
)
from runtime.export.tflite.unsupported import NOT_KEEPING_NAN
from runtime.export.traces import ExportedProgram, Signature
from runtime.export.try_statements import without_tries
from runtime.graph.capture import outermost
from runtime.graph.graph import Graph
from runtime.graph.inlining import copied
from runtime.graph.node import Node
from runtime.passes.cse import written_handles
from runtime.passes.manager import optimize
from runtime.passes.scalar_narrowing import narrow_scalars
from runtime.state.variable import Variable

NAN = "NaN"
"""The subject of the omissions that tell which kernels do not keep NaN."""
_INITIALIZER = "initializer"
_PRINTS_NOTHING = "a model prints nothing"
_NOT_RUN = "nothing uses its result, and LiteRT does not run it: the model goes on where it fails"
_OUTSIDE = "LiteRT checks no bounds: the model goes on with some value where Python raises"
_GOES_ON = "LiteRT has no exceptions: the model goes on where Python raises"


def write_program(
    program: ExportedProgram, path: str, *, strict: bool = False, converter: str | None = None
) -> ExportReport:
    """Write the signatures of a program as a TensorFlow Lite model.

    Inputs and results have the names of the signatures. A variable that no function writes is a
    constant; the others begin with their present values in each interpreter, which keeps what the
    functions write. Lists among the results are tensors whose rows are the items.

    Args:
        program: the program.
        path: the file.
        strict: whether parts of the program that a model cannot have, such as `raise`, are an
            error; by default they are left out, and the report lists them.
        converter: `tensorflow`, TensorFlow's own, or `litert`, the package litert-converter; by
            default the first one that is installed.

    Raises:
        UnimplementedError: no converter is installed, or ops have no form in a model; the error
            lists them.
        ArgumentValueError: there is no such converter, or the program has no signatures.
        NotFoundError, PermissionDeniedError, ResourceExhaustedError: the file cannot be written.
    """
    name = chosen_converter(converter)
    signatures = distinct_signatures(program)
    made = LoweredModule(signatures)
    omissions = made.omissions()
    if strict:
        refuse_omissions("a model", omissions)
    data = made.model() if name == "litert" else _by_tensorflow(program, made)
    write_atomically(path, data)
    return ExportReport("tflite", [path], made.notes, omissions)


def distinct_signatures(program: ExportedProgram) -> list[Signature]:
    """Return the signatures of a program, each with a copy of its graph that is optimized.

    Raises:
        ArgumentValueError: it has no signatures.
    """
    if not program.signatures:
        raise ArgumentValueError(
            "a TensorFlow Lite model has signatures, and the program has none: give "
            'signatures={"name": f}, or export the function itself'
        )
    return [prepared(each) for each in program.distinct_signatures()]


def prepared(signature: Signature) -> Signature:
    """Return a signature with an optimized copy of its graph.

    Raises:
        GraphError: the graph is a branch or the body of a loop.
    """
    graph = signature.graph
    if graph.outer is not None:
        raise GraphError(f"'{graph.name}' is part of another graph: export that one")
    own = optimize(copied(without_tries(graph, NAME), flat=True))
    narrow_scalars(own)
    return signature._replace(trace=replace(signature.trace, graph=own))


def _omission(node: Node) -> Omission:
    """Return a check or print, or a node that may fail, as an omission."""
    name = check_name(node)
    if name is None:
        graph = node.graph
        used = [*graph.outputs, *(x for each in graph.nodes for x in each.inputs)] if graph else []
        is_used = any(each.node is node for each in used)
        return Omission(node.op.name, _GOES_ON if is_used else _NOT_RUN, node.origin)
    return Omission(name, _PRINTS_NOTHING if name == "print" else _GOES_ON, node.origin)


def _lost_nan(op: str, node: Node | None) -> Omission:
    return Omission(NAN, f"LiteRT's {NOT_KEEPING_NAN[op]}", node.origin if node else None)


class LoweredModule:
    """Signatures as a module for litert-converter.

    Args:
        signatures: the signatures.

    Attributes:
        notes: facts about the model that its users have to know.
        functions: the functions of the module that are called from outside.

    Raises:
        UnimplementedError: ops have no form in a model.
    """

    def __init__(self, signatures: Sequence[Signature]) -> None:
        self.notes: list[str] = []
        self.functions: list[NamedFunction] = []
        self._graphs = [each.graph for each in signatures]
        self._state_name = signatures[0].state_name
        refused = [each for graph in self._graphs for each in refusals(graph)]
        refused += [each for graph in self._graphs for each in _growing_variables(graph)]
        if refused:
            raise refused_nodes(refused, NAME)
        self._library: dict[str, FunctionDef] = {}
        self._facts: dict[str, Mapping[str, NodeFacts]] = {}
        self._module = ModuleText(self._library, self._facts)
        self._variables: dict[int, SharedVariable] = {}
        self._written = _written_variables(self._graphs)
        for number, signature in enumerate(signatures):
            self._add(signature, number)
        changed = [each for each in self._variables.values() if each.name]
        self._initializer = _INITIALIZER if changed else ""
        if changed:
            self._module.initializer(_INITIALIZER, changed)

    @property
    def request(self) -> ConversionRequest:
        """The module and its functions, for the converter."""
        return ConversionRequest(
            module=self._module.text(),
            signatures=self.functions,
            initializer=self._initializer,
        )

    def omissions(self) -> list[Omission]:
        """Return the checks and prints of the program, and the ops that a model changes."""
        checks = failing_checks(self._graphs)
        places = unbounded_indices(self._graphs)
        told_elsewhere = INDEXED.keys() | CHECKS.keys()
        unused = [node for node in self._module.unused if node.op.name not in told_elsewhere]
        told = [_omission(node) for node in (*checks, *unused)]
        told += [Omission("index out of bounds", _OUTSIDE, node.origin) for node in places]
        told += [_lost_nan(*each) for each in self._module.losing_nan.items()]
        return list(dict.fromkeys([*told, *overflow_omissions(self._graphs)]))

    def model(self) -> bytes:
        """Return the model.

        Raises:
            UnimplementedError: the converter refuses ops; the error names their lines.
        """
        return converted(self.request, self.refused)

    def _add(self, signature: Signature, number: int) -> None:
        own = f"signature_{number}"
        graph = signature.graph
        inputs = list(zip(signature.inputs, range(len(signature.inputs))))
        made = library_function(
            own,
            graph,
            self._library,
            inputs,
            range(len(graph.outputs)),
            TFLITE,
        )
        self._facts.update(made.facts)
        given: list[Given] = [_input(*pair) for pair in zip(made.parameters, signature.inputs)]
        given += [self._shared(each) for each in made.captured]
        function = self._module.public(made.name, own, given)
        outputs = list(self._names(signature, made))
        assert len(outputs) == len(function.results)
        self.functions.append(
            NamedFunction(
                function=own, name=signature.name, inputs=list(signature.inputs), outputs=outputs
            )
        )

    def _names(self, signature: Signature, made: LibraryFunction) -> Iterator[str]:
        """Yield the names of the results; those of the parts of a list's items have numbers."""
        for name, tensor, width in zip(signature.results, made.outputs, made.widths):
            names = [name] if width == 1 else [f"{name}.{part}" for part in range(width)]
            if tensor.dtype.is_variant:
                listed = ", ".join(names)
                self.notes.append(f"the list '{name}' is returned as tensors: {listed}")
            yield from names

    def _shared(self, outer: Any) -> SharedVariable:
        if not isinstance(outer, Variable):
            raise GraphError(f"a function uses a {type(outer).__name__}, which no file can hold")
        if id(outer) not in self._variables:
            is_written = id(outer) in self._written
            shown = self._state_name(outer)
            name = f"{shown}_{len(self._variables)}" if is_written else ""
            spec = TensorSpec(outer._array.shape, outer.dtype)
            self._variables[id(outer)] = SharedVariable(name, spec, outer._array)
            if is_written:
                self.notes.append(
                    f"the variable '{shown}' begins with its present value in each "
                    "interpreter, which keeps what the model writes"
                )
        return self._variables[id(outer)]

    def refused(self, answer: ConversionResult) -> UnimplementedError:
        """Return the error for an answer without a model."""
        found = []
        for place, op in answer.get("refused", ()):
            node = self._module.sources[place] if place >= 0 else None
            found.append(unsupported(node, tf_reason(op)))
        return (
            refused_nodes(found, NAME)
            if found
            else UnimplementedError(
                f"litert-converter makes no model: {_short(answer.get('error', ''))}"
            )
        )


def _input(tensor: Any, name: str) -> TensorSpec:
    if getattr(tensor.spec, "kind", "") == "variable":
        raise UnimplementedError(
            f"'{name}' is a variable, which no input of a model can be: use it in the function",
            tensor.node.origin,
        )
    spec: TensorSpec = tensor.spec
    if spec.dtype.name in NOT_COMPUTED:
        raise UnimplementedError(
            f"a TensorFlow Lite model cannot have the input '{name}': "
            f"{NOT_COMPUTED[spec.dtype.name]}",
            tensor.node.origin,
        )
    return spec


def _written_variables(graphs: Iterable[Graph]) -> set[int]:
    """Return the ids of the variables that graphs write."""
    return {
        id(outermost(handle))
        for graph in graphs
        for node in graph.walk()
        for handle in written_handles(node)
    }


def _growing_variables(graph: Graph) -> Iterator[UnimplementedError]:
    """Yield the errors about variables that get other shapes: LiteRT fails with its process."""
    for node in graph.walk():
        for handle in written_handles(node):
            held = outermost(handle)
            if isinstance(held, Variable) and not held.shape.is_fully_defined():
                reason = f"LiteRT's variables keep their shapes, and '{held.handle_name}' does not"
                yield unsupported(node, reason)


def _short(words: str) -> str:
    return " ".join(words.split())[:500]


# -- TensorFlow ------------------------------------------------------------------------------------


def _by_tensorflow(program: ExportedProgram, made: LoweredModule) -> bytes:
    """Return the model that TensorFlow's converter makes of a SavedModel."""
    with tempfile.TemporaryDirectory() as folder:
        write_saved_model(program, folder, target=BY_TENSORFLOW)
        return converted(ConversionRequest(folder=folder), made.refused)
