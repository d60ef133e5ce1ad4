"""Programs as they are exported: objects, and functions with their traces."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter
from typing import Any, NamedTuple

from runtime import nest
from runtime.core.spec import TensorSpec
from runtime.errors import ArgumentValueError
from runtime.graph.graph import Graph
from runtime.state.asset import Asset
from runtime.state.variable import Variable

_POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True)
class Trace:
    """One trace of a function.

    Attributes:
        given: the positional and keyword arguments, with TensorSpecs in the place of tensors.
        graph: the graph.
        result: the result, with numbers of outputs of the graph in the place of tensors.
        notes: the parts of the result that are other values than here.
    """

    given: tuple[tuple[Any, ...], dict[str, Any]]
    graph: Graph
    result: Any
    notes: tuple[str, ...] = ()

    @property
    def specs(self) -> list[TensorSpec]:
        """The specs of the tensors among the arguments, in order."""
        return [each for each in nest.flatten(self.given) if isinstance(each, TensorSpec)]

    @property
    def outputs(self) -> list[int]:
        """The numbers of the outputs in the result, in order."""
        return [each for each in nest.flatten(self.result) if each is not None]


class TracedFunction(NamedTuple):
    """A function that is saved.

    Attributes:
        name: its name.
        parameters: its parameters.
        traces: its traces.
        python_function: the function of the program, for errors; None of a loaded one.
    """

    name: str
    parameters: Sequence[Parameter]
    traces: Sequence[Trace]
    python_function: Callable[..., object] | None = None


class NamedTrace(NamedTuple):
    """A trace whose inputs and outputs have names, such as a signature of a server.

    Attributes:
        function: the function.
        trace: its trace.
        inputs: the names of its tensors, in the order of `trace.specs`.
        outputs: for each name the number of an output of the graph.
    """

    function: TracedFunction
    trace: Trace
    inputs: Sequence[str]
    outputs: Mapping[str, int]


class ObjectNode(NamedTuple):
    """An object that is saved.

    Attributes:
        kind: `object`, `list`, `tuple`, `dict`, `variable` or `asset`.
        children: the numbers of its parts, by name.
        functions: its functions, by name.
        variable: the variable.
        key: the key of the variable's value in the checkpoint.
        asset: the asset.
    """

    kind: str
    children: Mapping[str, int]
    functions: Mapping[str, TracedFunction]
    variable: Variable | None = None
    key: str = ""
    asset: Asset | None = None


class ExportedProgram(NamedTuple):
    """Everything that is exported.

    Attributes:
        objects: the objects; the first one is what loading returns.
        signatures: the traces that are offered by name.
    """

    objects: Sequence[ObjectNode]
    signatures: Mapping[str, NamedTrace]

    def only_signature(self, kind: str) -> Signature:
        """Return the one signature of the program, for a kind of file that is one function.

        Raises:
            ArgumentValueError: the program has no signature, or several.
        """
        distinct = {id(each.trace.graph): name for name, each in self.signatures.items()}
        if len(distinct) != 1:
            names = ", ".join(self.signatures) or "none"
            raise ArgumentValueError(
                f"{kind} is one function, and the program has {names}: give "
                'signatures={"name": f}, or export the function itself'
            )
        name = next(iter(distinct.values()))
        return Signature.of_trace(name, self.signatures[name])


def mapped(like: Any, made: Callable[[Any], Any]) -> Any:
    """Return a structure with `made(leaf)` in the place of each leaf, in the order of `nest`.

    >>> mapped({"b": [1], "a": (2, None)}, lambda each: each)
    {'b': [1], 'a': (2, None)}
    """
    return nest.unflatten(like, [made(each) for each in nest.flatten(like)])


def named_trace(function: TracedFunction, trace: Trace) -> NamedTrace:
    """Return a trace with the names of the function's parameters, and of its results.

    A tensor is called as its parameter, or as its TensorSpec; several of one parameter have
    numbers. Results are called by the keys of a dict, or `output_0`, `output_1`, ...
    """
    return NamedTrace(function, trace, input_names(function.parameters, trace), output_names(trace))


def input_names(parameters: Sequence[Parameter], trace: Trace) -> list[str]:
    """Return a name for each tensor among the arguments of a trace; no two are the same.

    >>> spec = TensorSpec((), "int32")
    >>> trace = Trace((([spec, spec], 2), {"k": spec}), Graph("f"), None)
    >>> input_names([Parameter(name, Parameter.POSITIONAL_ONLY) for name in "xn"], trace)
    ['x_0', 'x_1', 'k']
    """
    args, kwargs = trace.given
    plain = [each.name for each in parameters if each.kind in _POSITIONAL]
    rest = next((p.name for p in parameters if p.kind is Parameter.VAR_POSITIONAL), "args")
    names = [*plain, *(f"{rest}_{k}" for k in range(len(args) - len(plain)))]
    found: list[str] = []
    for name, part in (*zip(names, args), *sorted(kwargs.items())):
        leaves = [each for each in nest.flatten(part) if isinstance(each, TensorSpec)]
        several = [name] if len(leaves) == 1 else [f"{name}_{n}" for n in range(len(leaves))]
        for leaf, other in zip(leaves, several):
            found.append(_unused(re.sub(r"\W", "_", leaf.name or other), found))
    return found


def _unused(name: str, taken: Sequence[str]) -> str:
    count, found = 1, name
    while found in taken:
        found, count = f"{name}_{count}", count + 1
    return found


def output_names(trace: Trace) -> dict[str, int]:
    """Return the name and the number of each output: the keys of a dict, or `output_0`, ..."""
    result = trace.result
    if isinstance(result, dict) and all(
        isinstance(key, str) and isinstance(each, int) for key, each in result.items()
    ):
        return dict(result)
    return {f"output_{at}": number for at, number in enumerate(trace.outputs)}


class Signature(NamedTuple):
    """A graph that is exported, with the names that its inputs and outputs have in the file.

    Attributes:
        name: its name, such as "serving_default".
        graph: the graph.
        inputs: the names of the graph's parameters, in order.
        outputs: the names of its outputs, in order; by default `output_0`, `output_1`, ...
    """

    name: str
    graph: Graph
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    @staticmethod
    def of(graph: Graph) -> Signature:
        """Return a signature of a graph with the names of its own parameters.

        >>> Signature.of(Graph("f"))
        Signature(name='f', graph=<Graph 'f': 0 inputs, 0 nodes, 0 outputs>, inputs=(), outputs=())
        """
        inputs = tuple([each.node.name for each in graph.parameters])
        outputs = tuple([f"output_{number}" for number in range(len(graph.outputs))])
        return Signature(graph.name, graph, inputs, outputs)

    @staticmethod
    def of_trace(name: str, named: NamedTrace) -> Signature:
        """Return the signature of a trace with named inputs and outputs."""
        outputs = [f"unnamed_{number}" for number in range(len(named.trace.graph.outputs))]
        for key, number in reversed(list(named.outputs.items())):
            outputs[number] = key
        return Signature(name, named.trace.graph, tuple(named.inputs), tuple(outputs))
