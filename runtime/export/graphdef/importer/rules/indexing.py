"""Import of slices, gathers, scatters, and searches."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import int32
from runtime.core.shapes import UNKNOWN, TensorShape
from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.ops.arrays import creation, indexing, scatter

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


def _gather(step: NodeImport) -> Any:
    axis = step.number(2, "axes") if len(step.inputs) > 2 else 0
    batch = step.attrs.number("batch_dims", 0)
    return step.record("gather", step.tensor(0), step.tensor(1), axis=axis, batch_dims=batch)


def _gather_nd(step: NodeImport) -> Any:
    _check_policy(step)
    return step.record("gather_nd", step.tensor(0), step.tensor(1))


def _check_policy(step: NodeImport) -> None:
    policy = step.attrs.text("bad_indices_policy", "")
    if policy not in ("", "DEFAULT", "ERROR"):
        raise step.unsupported("indices out of bounds are ignored")


def _scattered(name: str) -> Rule:
    def rule(step: NodeImport) -> Any:
        _check_policy(step)
        return step.record(name, step.tensor(0), step.tensor(1), step.tensor(2))

    return rule


def _scatter_sub(step: NodeImport) -> Any:
    _check_policy(step)
    x, indices, updates = (step.tensor(at) for at in range(3))
    return step.record("tensor_scatter_nd_add", x, indices, step.record("negative", updates))


def _scatter_nd(step: NodeImport) -> Any:
    _check_policy(step)
    return scatter.scatter_nd(step.tensor(0), step.tensor(1), step.sizes(2))


def _segment(name: str) -> Rule:
    def rule(step: NodeImport) -> Any:
        return step.record(name, step.tensor(0), step.tensor(1))

    return rule


def _unsorted_segment(name: str) -> Rule:
    def rule(step: NodeImport) -> Any:
        data, ids, known = step.tensor(0), step.tensor(1), step.known(2)
        extra = {}
        if name.endswith("join"):
            extra["separator"] = step.attrs.raw("separator", b"")
        if known is None:
            return step.record(name, data, ids, step.tensor(2), num_segments=None, **extra)
        return step.record(name, data, ids, num_segments=int(known), **extra)

    return rule


def _searched(side: str) -> Rule:
    def rule(step: NodeImport) -> Any:
        wanted = step.attrs.dtype("out_type")
        ordered, values = step.tensor(0), step.tensor(1)
        return step.record("searchsorted", ordered, values, side=side, out_type=wanted)

    return rule


def _bucketize(step: NodeImport) -> Any:
    x = step.tensor(0)
    bounds = step.constant(step.attrs.reals("boundaries"), x.dtype)
    flat = step.record("reshape", x, shape=(-1,))
    found = step.record("searchsorted", bounds, flat, side="right", out_type=int32)
    sizes = step.record("shape", x, out_type=int32)
    return _in_shape_of(step, found, sizes, x)


def _in_shape_of(step: NodeImport, flat: Any, sizes: Any, like: Any) -> Any:
    """Return a vector in the shape of another tensor."""
    if like.shape.is_fully_defined():
        return step.record("reshape", flat, shape=like.shape.dims)
    rank = like.shape.rank
    wanted = None if rank is None else (None,) * rank
    return step.record("reshape", flat, sizes, shape=wanted)


def _unique(counts: bool) -> Rule:
    def rule(step: NodeImport) -> Any:
        wanted = step.attrs.dtype("out_idx")
        name = "unique_with_counts" if counts else "unique"
        return list(step.record(name, step.tensor(0), out_idx=wanted))

    return rule


def _invert_permutation(step: NodeImport) -> Any:
    return step.record("invert_permutation", step.tensor(0))


def _unravel(step: NodeImport) -> Any:
    return step.record("unravel_index", step.tensor(0), step.tensor(1))


_SORTED = ("sum", "mean", "prod", "max", "min")
_UNSORTED = ("sum", "prod", "max", "min", "join")

RULES: dict[str, Rule] = {
    **{f"Segment{how.title()}": _segment(f"segment_{how}") for how in _SORTED},
    **{
        f"UnsortedSegment{how.title()}": _unsorted_segment(f"unsorted_segment_{how}")
        for how in _UNSORTED
    },
    "Bucketize": _bucketize,
    "Gather": _gather,
    "GatherNd": _gather_nd,
    "GatherV2": _gather,
    "InvertPermutation": _invert_permutation,
    "LowerBound": _searched("left"),
    "ScatterNd": _scatter_nd,
    "Slice": _slice,
    "StridedSlice": _strided_slice,
    "StridedSliceGrad": _strided_gradient,
    "TensorScatterAdd": _scattered("tensor_scatter_nd_add"),
    "TensorScatterMax": _scattered("tensor_scatter_nd_max"),
    "TensorScatterMin": _scattered("tensor_scatter_nd_min"),
    "TensorScatterSub": _scatter_sub,
    "TensorScatterUpdate": _scattered("tensor_scatter_nd_update"),
    "TensorStridedSliceUpdate": _strided_update,
    "Unique": _unique(counts=False),
    "UniqueWithCounts": _unique(counts=True),
    "UnravelIndex": _unravel,
    "UpperBound": _searched("right"),
}
