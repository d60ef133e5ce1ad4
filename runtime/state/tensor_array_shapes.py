"""Static element specs of TensorArrays, inferred from the graph recorded so far.

Nothing is stored outside of the graph, so a branch that is not taken, or a body that is traced
twice, leaves no facts behind.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any, NamedTuple, TypeAlias

from runtime.core.shapes import UNKNOWN, TensorShape
from runtime.core.tensor import EagerTensor, Tensor
from runtime.errors import ShapeError
from runtime.ops.containers.tensor_arrays import contents_of

# The most analyses of a loop's body until nothing changes; shapes only widen, so few are needed.
_MOST_LOOKS = 4


class ElementFacts(NamedTuple):
    """The facts about the elements of a TensorArray at one point of a graph.

    Attributes:
        shape: the shape of any element that may exist; None if there can be none.
        certain: whether an element surely exists; if shapes are inferred, later elements then have
            its shape.
    """

    shape: TensorShape | None
    certain: bool = False

    def join(self, other: ElementFacts) -> ElementFacts:
        """Return the facts where two paths join."""
        if self.shape is None or other.shape is None:
            return ElementFacts(other.shape if self.shape is None else self.shape)
        return ElementFacts(self.shape.join(other.shape), self.certain and other.certain)

    def then(self, written: ElementFacts, inferred: bool) -> ElementFacts:
        """Return the facts after a write."""
        if not written.certain:
            return self.join(self.then(ElementFacts(written.shape, True), inferred))
        if self.shape is None or written.shape is None:
            return ElementFacts(written.shape, inferred)
        if not inferred:
            return ElementFacts(self.shape.join(written.shape))
        # All elements have the same shape, or the write fails: facts about one hold for the others.
        return ElementFacts(
            _merged(self.shape, written.shape) if self.certain else written.shape, True
        )


NOTHING = ElementFacts(None)
ANYTHING = ElementFacts(UNKNOWN)
Known: TypeAlias = "Mapping[int, ElementFacts]"


def element_shape(handle: Tensor, declared: TensorShape, inferred: bool) -> TensorShape:
    """Return the common shape of all elements of a TensorArray.

    Args:
        handle: the contents, eager or symbolic.
        declared: the shape declared by its creator.
        inferred: whether all elements have the same shape.
    """
    if declared.is_fully_defined():
        return declared
    found = _elements(handle, inferred, {}).shape
    return declared if found is None else _merged(declared, found)


def _elements(handle: Any, inferred: bool, known: Known) -> ElementFacts:
    """Walk back from `handle` to the last point with known facts."""
    later: list[ElementFacts] = []
    found = None
    while found is None:
        handle = _outside(handle, known)
        found = _found_at(handle, inferred, known)
        if found is None:
            later.append(_written_by(handle.node))
            handle = handle.node.inputs[0]
            if inferred and later[-1].certain and _is_full(later[-1].shape):
                found = NOTHING
    return reduce(lambda before, written: before.then(written, inferred), reversed(later), found)


def _outside(handle: Any, known: Known) -> Any:
    """Return the tensor that a captured input stands for, in the graph that computes it."""
    while id(handle) not in known and not isinstance(handle, EagerTensor):
        outer = next((held.outer for held in handle.graph.captures if held.inner is handle), None)
        if outer is None:
            return handle
        handle = outer
    return handle


def _found_at(handle: Any, inferred: bool, known: Known) -> ElementFacts | None:
    """Return the facts at `handle`; None if they depend on the handle before."""
    if id(handle) in known:
        return known[id(handle)]
    if isinstance(handle, EagerTensor):
        return _elements_of_value(handle, inferred)
    name, regions = handle.node.op.name, handle.node.regions
    if name in _WRITING:
        return None
    if name == "while_loop":
        return _after_loop(handle, inferred, known)
    if name in ("cond", "switch_case"):
        outputs = [region.outputs[handle.index] for region in regions]
        return reduce(ElementFacts.join, [_elements(each, inferred, known) for each in outputs])
    return NOTHING if name == "tensor_array" else ANYTHING


def _after_loop(handle: Any, inferred: bool, known: Known) -> ElementFacts:
    body, index = handle.node.regions[1], handle.index
    found = _elements(handle.node.inputs[index], inferred, known)
    for _ in range(_MOST_LOOKS):
        at_start = {**known, id(body.parameters[index]): found}
        wider = found.join(_elements(body.outputs[index], inferred, at_start))
        if wider == found:
            return found
        found = wider
    return ANYTHING


def _elements_of_value(handle: EagerTensor, inferred: bool) -> ElementFacts:
    slots = contents_of(handle._array)
    if inferred:
        return ElementFacts(slots.shape, True)
    shapes = [TensorShape.of(item[0].shape) for item in slots.items if len(item) == 1]
    return reduce(ElementFacts.join, map(ElementFacts, shapes), NOTHING)


def _written_by(node: Any) -> ElementFacts:
    return _WRITING[node.op.name](node)


def _one(node: Any) -> ElementFacts:
    return ElementFacts(node.inputs[2].shape, True)


def _several(node: Any) -> ElementFacts:
    """Return the facts of a list of values that was made for this node, and may be empty."""
    source = node.inputs[-1].node
    shape: TensorShape = source.inputs[0].shape
    if source.op.name == "list_from_rows":
        return ElementFacts(shape[1:], bool(shape[0]))
    return ElementFacts(TensorShape.of((None,)).concatenate(shape[1:]))


_WRITING = {
    "tensor_array_write": _one,
    "tensor_array_scatter": _several,
    "tensor_array_fill": _several,
}


def _is_full(shape: TensorShape | None) -> bool:
    return shape is not None and shape.is_fully_defined()


def _merged(first: TensorShape, second: TensorShape) -> TensorShape:
    """Return the merged shape; the second one on a contradiction, since the run fails then."""
    try:
        return first.merge(second)
    except ShapeError:
        return second
