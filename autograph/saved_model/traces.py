"""Traces of functions as data of a file: graph, arguments and result."""

from __future__ import annotations

from inspect import Parameter
from typing import Any

from autograph.errors import SignatureError
from autograph.function.concrete import ConcreteFunction
from autograph.function.signature import CallSignature
from autograph.saved_model.restored import RestoredFunction, Trace
from autograph.saved_model.structures import structure_data
from runtime.errors import GraphError
from runtime.graph.capture import Outer
from runtime.state.variable import Variable
from runtime.stored.writing import GraphWriter

Data = dict[str, Any]


def trace_data(concrete: ConcreteFunction, signature: CallSignature, writer: GraphWriter) -> Data:
    """Return a concrete function as data, with its graph in `writer`.

    Raises:
        SignatureError: a file cannot hold an argument or the result.
        GraphError: a file cannot hold a part of the graph.
    """
    if any(isinstance(each, Variable) for each in concrete.inputs):
        raise SignatureError(f"{concrete.name} is given a Variable: use one of the object's own")
    if not concrete.structure.is_plain():
        raise SignatureError(
            f"{concrete.name} cannot be saved: it returns more than tensors in lists, tuples and "
            "dicts"
        )
    args, kwargs = concrete.structured_input_signature
    trace = Trace((args, kwargs), concrete.graph, concrete.structure.output_indices())
    return _data(signature, trace, writer)


def restored_data(called: RestoredFunction, writer: GraphWriter) -> list[Data]:
    """Return the traces of a loaded function as data."""
    return [_data(called.call_signature, trace, writer) for trace in called.traces]


def _data(signature: CallSignature, trace: Trace, writer: GraphWriter) -> Data:
    try:
        given = structure_data(trace.given, writer.arrays)
    except GraphError as error:
        raise SignatureError(
            f"{signature.name} cannot be saved: it was traced with {error.message}"
        ) from None
    return {
        "name": signature.name,
        "graph": writer.put(trace.graph),
        "parameters": [_parameter_data(each, writer) for each in signature.parameters],
        "given": given,
        "result": structure_data(trace.result, writer.arrays),
    }


def _parameter_data(parameter: Parameter, writer: GraphWriter) -> list[Any]:
    data: list[Any] = [parameter.name, parameter.kind.name]
    if parameter.default is not Parameter.empty:
        try:
            data.append(structure_data(parameter.default, writer.arrays))
        except GraphError:
            pass  # then the caller must pass it
    return data


def outside(places: dict[int, int], outer: Outer) -> Any:
    """Return a captured variable as data: its number among the objects.

    Raises:
        GraphError: it is not a variable of the object.
    """
    place = places.get(id(outer))
    if place is not None:
        return {"object": place}
    if isinstance(outer, Variable):
        raise GraphError(
            f"the variable {outer.name!r} is used by a function, and no attribute of the object "
            "that is saved leads to it: set it as an attribute"
        )
    raise GraphError(f"a function uses a {type(outer).__name__}, which no file can hold")
