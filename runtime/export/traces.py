"""Programs as they are exported: objects, and functions with their traces."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter
from types import MappingProxyType
from typing import Any, NamedTuple

from runtime import nest
from runtime.core.spec import TensorSpec
from runtime.errors import ArgumentValueError
from runtime.graph.graph import Graph
from runtime.state.asset import Asset
from runtime.state.variable import Variable

# TensorFlow's functions have a parameter of this name.
_TAKEN = ("self",)
_POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True)
class FunctionTrace:
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
    traces: Sequence[FunctionTrace]
    python_function: Callable[..., object] | None = None


class Signature(NamedTuple):
    """A trace that is offered by name, and the names of its inputs and outputs.

    Attributes:
        name: its name, such as "serving_default".
        function: its function.
        trace: the trace.
        inputs: the names of its tensors, in the order of `trace.specs`.
        outputs: for each name the number of an output of the graph.
        states: the names of variables that have none of their own, by identity.
    """

    name: str
    function: TracedFunction
    trace: FunctionTrace
    inputs: tuple[str, ...]
    outputs: Mapping[str, int]
    states: Mapping[int, str] = MappingProxyType({})

    @staticmethod
    def of(graph: Graph) -> Signature:
        """Return a signature of a graph with the names of its own parameters.

        >>> Signature.of(Graph("f")).results
        ()
        """
        count = range(len(graph.outputs))
        trace = FunctionTrace(
            (tuple([each.spec for each in graph.parameters]), {}), graph, list(count)
        )
        names = tuple([each.node.name for each in graph.parameters])
        function = TracedFunction(graph.name, (), [trace])
        return Signature(graph.name, function, trace, names, output_names(trace))

    @staticmethod
    def of_trace(name: str, function: TracedFunction, trace: FunctionTrace) -> Signature:
        """Return a trace with the names of the function's parameters, and of its results.

        A tensor is called as its parameter, or as its TensorSpec; several of one parameter have
        numbers. Results are called by the keys of a dict, or `output_0`, `output_1`, ...
        """
        inputs = tuple(input_names(function.parameters, trace))
        return Signature(name, function, trace, inputs, output_names(trace))

    @property
    def graph(self) -> Graph:
        """The graph."""
        return self.trace.graph

    @property
    def results(self) -> tuple[str, ...]:
        """The names of all outputs of the graph, in order."""
        names = [f"unnamed_{number}" for number in range(len(self.graph.outputs))]
        for key, number in reversed(list(self.outputs.items())):
            names[number] = key
        return tuple(names)

    def state_name(self, variable: Any) -> str:
        """Return the name of a variable that the graph uses."""
        found: str = self.states.get(id(variable)) or variable.handle_name
        return found


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
    """A program that is exported: its objects, functions and signatures.

    Attributes:
        objects: the objects; the first one is what loading returns.
        signatures: the traces that are offered by name.
        states: the names of variables that have none of their own, by identity.
    """

    objects: Sequence[ObjectNode]
    signatures: Mapping[str, Signature]
    states: Mapping[int, str] = MappingProxyType({})

    def distinct_signatures(self) -> list[Signature]:
        """Return the signatures with different graphs; of names for one graph the first counts."""
        found: dict[int, Signature] = {}
        for each in self.signatures.values():
            found.setdefault(id(each.graph), each._replace(states=self.states))
        return list(found.values())

    def only_signature(self, kind: str) -> Signature:
        """Return the one signature of the program, for a kind of file that is one function.

        Raises:
            ArgumentValueError: the program has no signature, or several.
        """
        distinct = self.distinct_signatures()
        if len(distinct) != 1:
            names = ", ".join(self.signatures) or "none"
            raise ArgumentValueError(
                f"{kind} is one function, and the program has {names}: give "
                'signatures={"name": f}, or export the function itself'
            )
        return distinct[0]


def mapped(like: Any, made: Callable[[Any], Any]) -> Any:
    """Return a structure with `made(leaf)` in the place of each leaf, in the order of `nest`.

    >>> mapped({"b": [1], "a": (2, None)}, lambda each: each)
    {'b': [1], 'a': (2, None)}
    """
    return nest.unflatten(like, [made(each) for each in nest.flatten(like)])


def input_names(parameters: Sequence[Parameter], trace: FunctionTrace) -> list[str]:
    """Return a name for each tensor among the arguments of a trace; no two are the same.

    >>> spec = TensorSpec((), "int32")
    >>> trace = FunctionTrace((([spec, spec], 2), {"k": spec}), Graph("f"), None)
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
            found.append(_unused(re.sub(r"\W", "_", leaf.name or other), (*_TAKEN, *found)))
    return found


def _unused(name: str, taken: Sequence[str]) -> str:
    count, found = 1, name
    while found in taken:
        found, count = f"{name}_{count}", count + 1
    return found


def output_names(trace: FunctionTrace) -> dict[str, int]:
    """Return the name and the number of each output: the keys of a dict, or `output_0`, ..."""
    result = trace.result
    if isinstance(result, dict) and all(
        isinstance(key, str) and isinstance(each, int) for key, each in result.items()
    ):
        return dict(result)
    return {f"output_{at}": number for at, number in enumerate(trace.outputs)}
