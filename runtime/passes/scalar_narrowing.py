"""Shape refinement: finds values of unknown shape that can only be scalars.

    items = tensor_array(n) {element=int32[?]}
    write = tensor_array_write(items, i, i)       all that is ever written is one number, so
    read = tensor_array_read(write, j)            each element read is one, too: int32[]
    add = add(read, i)                            and so is the sum

The analysis first assumes that all of them are numbers, and lists and TensorArrays hold numbers.
Each round drops the assumptions that do not follow from the others. The assumptions that remain
imply each other, from node to node and from iteration to iteration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor
from runtime.errors import OpError
from runtime.graph.graph import Graph
from runtime.graph.node import Node


def narrow_scalars(graph: Graph) -> None:
    """Set the shape of values that can only be scalars, in place, in an unshared graph."""
    nodes = list(graph.walk())
    if not any(node.op.name in _OF_ITEMS for node in nodes):
        return
    assumed = {
        id(tensor): tensor
        for node in nodes
        for tensor in _results_and_inputs(node)
        if tensor.dtype.is_variant or tensor.spec.shape.rank is None
    }
    while _drop(nodes, assumed):
        pass
    for tensor in assumed.values():
        if not tensor.dtype.is_variant:
            tensor.spec = TensorSpec((), tensor.dtype)  # type: ignore[misc]


def _results_and_inputs(node: Node) -> Iterable[SymbolicTensor]:
    """Return a node's results, and its regions' inputs if they receive its operands."""
    yield from node.outputs
    if node.op.name in _FLOWS:
        for region in node.regions:
            yield from region.inputs


def _drop(nodes: Sequence[Node], assumed: dict[int, SymbolicTensor]) -> bool:
    """Drop the assumptions that do not follow from the others; return whether there were any."""
    count = len(assumed)

    def holds(tensor: SymbolicTensor) -> bool:
        return id(tensor) in assumed or tensor.spec.shape.rank == 0

    def keep(tensors: Iterable[SymbolicTensor], others: Iterable[SymbolicTensor]) -> None:
        for tensor, other in zip(tensors, others):
            is_item_list = tensor.dtype.is_variant
            if not (id(other) in assumed if is_item_list else holds(other)):
                assumed.pop(id(tensor), None)

    for node in nodes:
        flow = _FLOWS.get(node.op.name)
        if flow is not None:
            flow(node, keep)
        elif any(id(each) in assumed for each in node.outputs) and not _says(node, assumed, holds):
            for each in node.outputs:
                assumed.pop(id(each), None)
    return len(assumed) < count


Keep = Callable[[Iterable[SymbolicTensor], Iterable[SymbolicTensor]], None]


def _narrow_choice(node: Node, keep: Keep) -> None:
    for region in node.regions:
        keep(region.inputs, node.inputs[1:])
        keep(node.outputs, region.outputs)


def _narrow_loop(node: Node, keep: Keep) -> None:
    test, body = node.regions
    keep(body.parameters, body.outputs)
    keep(test.parameters, body.outputs)
    keep(node.outputs, body.outputs)
    keep(node.outputs, node.inputs)
    for region in node.regions:
        keep(region.inputs, node.inputs)


_FLOWS: Mapping[str, Callable[[Node, Keep], None]] = {
    "cond": _narrow_choice,
    "switch_case": _narrow_choice,
    "while_loop": _narrow_loop,
}

# For ops on lists and TensorArrays, the index of the first operand that is an item. Lists must
# hold numbers, and the items must be numbers.
_OF_ITEMS: Mapping[str, int] = {
    "list_append": 1,
    "list_extend": 2,
    "list_get": 2,
    "list_of": 0,
    "list_pop": 2,
    "list_repeat": 2,
    "list_set": 2,
    "tensor_array": 1,
    "tensor_array_fill": 2,
    "tensor_array_items": 1,
    "tensor_array_read": 2,
    "tensor_array_write": 2,
}


def _says(
    node: Node, assumed: Mapping[int, SymbolicTensor], holds: Callable[[SymbolicTensor], bool]
) -> bool:
    """Return whether a node's results are numbers, or lists of numbers, given the assumptions."""
    name = node.op.name
    if name == "list_from_rows":
        return all(each.spec.shape.rank == 1 for each in node.inputs)
    if name in _OF_ITEMS:
        lists = [each for each in node.inputs if each.dtype.is_variant]
        leaves = node.inputs[_OF_ITEMS[name] :]
        return all(id(each) in assumed for each in lists) and all(
            holds(each) for each in leaves if not each.dtype.is_variant
        )
    if node.regions or node.op.kernel is None or not node.inputs:
        return False
    if any(each.dtype.is_variant for each in (*node.inputs, *node.outputs)):
        return False
    specs = [TensorSpec((), x.dtype) if id(x) in assumed else x.spec for x in node.inputs]
    try:
        found = node.op.infer(*specs, **node.attrs)
    except (OpError, ValueError, TypeError):
        return False
    results = found if isinstance(found, tuple) else (found,)
    return all(each.shape.rank == 0 for each in results)
