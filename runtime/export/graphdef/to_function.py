"""Lowers a whole graph to a function of a library, as a SavedModel stores it.

    (x, y) -> x * v + y     becomes     __inference_f_1842(x: float, y: float, v: resource) -> float

Captured variables are further parameters, captured tensors are constants.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from runtime.core.shapes import TensorShape
from runtime.core.tensor import EagerTensor, SymbolicTensor
from runtime.errors import UnimplementedError
from runtime.export.graphdef.attribute_values import attr_value
from runtime.export.graphdef.function_body import Body, NodeFacts, ValueRef, argument_name
from runtime.export.graphdef.functions import Results, function_def, parameter
from runtime.export.graphdef.messages import ArgAttrs, FunctionDef
from runtime.export.graphdef.node_lowering import FunctionLibrary, NodeFormat, Region, flat
from runtime.export.graphdef.rules import GRAPHDEF, shown
from runtime.export.try_statements import without_tries
from runtime.graph.capture import Outer
from runtime.graph.graph import Graph
from runtime.passes.prune import prune
from runtime.state.asset import asset_of

_SCALAR = TensorShape.of(())


class LibraryFunction(NamedTuple):
    """A function of the library.

    Attributes:
        name: its name.
        captured: the variables, and the paths of assets, that it takes as its last arguments.
        parameters: the tensors of the graph that it takes before them.
        outputs: its results.
        is_stateful: whether it has effects.
        widths: the number of values of each result: for a list that of the parts of its items.
        facts: the facts about the nodes of the functions that were added, by their names.
    """

    name: str
    captured: tuple[Outer, ...]
    parameters: tuple[SymbolicTensor, ...]
    outputs: tuple[SymbolicTensor, ...]
    is_stateful: bool
    widths: tuple[int, ...]
    facts: Mapping[str, Mapping[str, NodeFacts]]


def library_function(
    name: str,
    graph: Graph,
    functions: dict[str, FunctionDef],
    inputs: Sequence[tuple[str, int]],
    outputs: Sequence[int],
    target: NodeFormat = GRAPHDEF,
) -> LibraryFunction:
    """Lower a graph to a function, and add it and the functions that it calls to `functions`.

    Args:
        name: the name, to which a number is appended.
        graph: the graph.
        functions: the functions so far, by name.
        inputs: the name of each parameter, and its number among those of the graph.
        outputs: the numbers of the graph's outputs that are the results, in order.
        target: the format.

    Raises:
        UnimplementedError: an op, or an argument or result, has no counterpart in TensorFlow.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph("double")
    >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
    >>> with graph.recording():
    ...     y = x + x
    >>> graph.set_outputs([y])
    >>> functions = {}
    >>> made = library_function("double", graph, functions, [("x", 0)], [0])
    >>> [node.op for node in functions[made.name].node_def]
    ['AddV2', 'Identity']
    """
    pruned = prune(without_tries(graph, target.name))
    library = FunctionLibrary(pruned, target, shown, functions=functions)
    region = Region(pruned, Body(is_function=True), library)
    parameters = [pruned.parameters[number] for _, number in inputs]
    refs = [_parameter(region, each, key) for each, (key, _) in zip(parameters, inputs)]
    captured = _captured(region, refs)
    region.lower()
    results = [pruned.outputs[number] for number in outputs]
    for tensor in () if target.returns_lists else results:
        _refuse_list(tensor, "a result")
    last = region.last_changes()
    region.body.is_stateful |= bool(last)
    changed = Results(list(flat(map(region.value, results))))
    made = function_def(f"__inference_{argument_name(name)}", region.body, refs, changed, last)
    shapes = [*(each.shape for each in parameters), *[_SCALAR] * len(captured)]
    hinted = _with_hints(made, [key for key, _ in inputs], shapes)
    return LibraryFunction(
        library.add(hinted, region.body.facts).name,
        captured,
        tuple(parameters),
        tuple(results),
        region.body.is_stateful,
        tuple([len(region.kinds(each)) for each in results]),
        library.facts,
    )


def _captured(region: Region, refs: list[ValueRef]) -> tuple[Outer, ...]:
    """Make constants of captured tensors, and parameters of the others, which are returned.

    The others are variables, and paths of assets: another machine has the files elsewhere.
    """
    found: list[Outer] = []
    for outer, inner in region.graph.captures:
        if isinstance(outer, EagerTensor) and asset_of(outer) is None:
            _refuse_list(inner, "a value from outside")
            region.values[id(inner)] = region.body.const(outer._array)
        else:
            refs.append(_parameter(region, inner, inner.node.name))
            found.append(outer)
    return tuple(found)


def _with_hints(
    function: FunctionDef, names: Sequence[str], shapes: Sequence[TensorShape]
) -> FunctionDef:
    """Return a function with the shapes of its parameters, and the user's names of them."""
    if not shapes:
        return function
    return function.with_values(
        attr={"_input_shapes": attr_value(list(shapes))},
        arg_attr={
            place: ArgAttrs(attr={"_user_specified_name": attr_value(name)})
            for place, name in enumerate(names)
        },
    )


def _parameter(region: Region, tensor: SymbolicTensor, name: str) -> ValueRef:
    _refuse_list(tensor, f"'{name}'")
    (kind,) = region.kinds(tensor)
    ref = parameter(region.body, name, kind)
    region.give(tensor, ref)
    return ref


def _refuse_list(tensor: SymbolicTensor, words: str) -> None:
    if tensor.dtype.is_variant and getattr(tensor.spec, "kind", "") != "variable":
        raise UnimplementedError(
            f"{words} is a list, which no function of a GraphDef takes or returns: give and return "
            "a tensor, such as rt.stack(...) of it",
            tensor.node.origin,
        )
