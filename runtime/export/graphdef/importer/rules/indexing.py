"""Import of slices, and of writes to them."""

from __future__ import annotations

from typing import Any

from runtime.core.shapes import UNKNOWN, TensorShape
from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.ops.arrays import creation, indexing

MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


def key_of(step: NodeImport, first: int, like: TensorShape = UNKNOWN) -> tuple[Any, ...]:
    """Return the index that three operands and the masks of a node describe.

    Args:
        like: the shape of the result, which has as many axes as an index without masks has parts.
    """
    is_whole = not any(step.attrs.number(mask, 0) for mask in MASKS[2:])
    parts = like.rank if is_whole else None
    starts, stops, steps = (_vector(step, first + at, parts) for at in range(3))
    begins, ends, rest, new, shrunk = (step.attrs.number(mask, 0) for mask in MASKS)
    key: list[Any] = []
    for axis, (start, stop, by) in enumerate(zip(starts, stops, steps, strict=True)):
        bit = 1 << axis
        if rest & bit:
            key.append(Ellipsis)
        elif new & bit:
            key.append(None)
        elif shrunk & bit:
            key.append(start)
        else:
            key.append(slice(None if begins & bit else start, None if ends & bit else stop, by))
    return tuple(key)


def _vector(step: NodeImport, position: int, parts: int | None) -> list[Any]:
    found = step.sizes(position)
    if isinstance(found, list):
        return found
    length = found.shape[0] if found.shape.rank == 1 else None
    if length is None and found.node.op.name == "stack":
        length = len(found.node.inputs)
    length = parts if length is None else length
    if length is None:
        raise step.unsupported("only a run knows the number of axes of a slice")
    if found.shape.rank is None:
        found = step.record("ensure_shape", found, shape=TensorShape.of((length,)))
    return [step.element(found, at) for at in range(length)]


def _strided_slice(step: NodeImport) -> Any:
    return indexing.get_item(step.tensor(0), key_of(step, 1))


def _strided_update(step: NodeImport) -> Any:
    return indexing.set_item(step.tensor(0), key_of(step, 1), step.tensor(4))


def _strided_gradient(step: NodeImport) -> Any:
    """Write a gradient into zeros, where the slice was read."""
    dy = step.tensor(4)
    key = key_of(step, 1, dy.shape)
    return indexing.set_item(creation.zeros(step.sizes(0), dy.dtype), key, dy)


def _slice(step: NodeImport) -> Any:
    known = step.known(1)
    begin = step.tensor(1) if known is None else known.tolist()
    return indexing.slice(step.tensor(0), begin, step.sizes(2))


RULES: dict[str, Rule] = {
    "Slice": _slice,
    "StridedSlice": _strided_slice,
    "StridedSliceGrad": _strided_gradient,
    "TensorStridedSliceUpdate": _strided_update,
}
