"""Import of constants, shapes, and ops that join, split, repeat and reorder parts of tensors."""

from __future__ import annotations

from math import prod
from typing import Any

from runtime.core.array_value import ArrayValue
from runtime.core.dtypes import int32
from runtime.export.graphdef.importer.attributes import MOST_REPEATED
from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.ops.arrays import concatenation, creation, indexing, padding, shape
from runtime.ops.arrays.gather import gather
from runtime.ops.arrays.reduction import reduce_any
from runtime.ops.arrays.space_to_batch import batch_to_space, space_to_batch
from runtime.ops.arrays.space_to_depth import depth_to_space, space_to_depth


def _const(step: NodeImport) -> Any:
    elements, sizes = stored = step.attrs.stored_array("value")
    count = prod(sizes)
    if count <= max(len(elements), MOST_REPEATED):
        return step.record("constant", value=ArrayValue(stored.whole()))
    # A file of few bytes may describe a large array: only a run makes it.
    last = step.record("constant", value=ArrayValue(elements[-1:]))
    if len(elements) == 1:
        return step.record("broadcast_to", last, shape=sizes)
    first = step.record("constant", value=ArrayValue(elements[:-1]))
    rest = step.record("broadcast_to", last, shape=(count - len(elements) + 1,))
    return step.record("reshape", step.record("concat", first, rest, axis=0), shape=sizes)


def _placeholder(step: NodeImport) -> Any:
    raise step.unsupported(
        f"it has no value: give one, as in input_map={{'{step.node.name}:0': x}}"
    )


def _tensors(step: NodeImport, first: int = 0, last: int | None = None) -> list[Any]:
    return [step.tensor(at) for at in range(len(step.inputs))[first:last]]


# -- shapes ----------------------------------------------------------------------------------------


def _shape(name: str) -> Rule:
    def rule(step: NodeImport) -> Any:
        return step.record(name, step.tensor(0), out_type=step.attrs.dtype("out_type"))

    return rule


def _shapes(step: NodeImport) -> Any:
    wanted = step.attrs.dtype("out_type")
    return [step.record("shape", each, out_type=wanted) for each in _tensors(step)]


def _rank(step: NodeImport) -> Any:
    return step.record("rank", step.tensor(0))


def _reshape(step: NodeImport) -> Any:
    return shape.reshape(step.tensor(0), step.sizes(1))


def _broadcast_to(step: NodeImport) -> Any:
    return shape.broadcast_to(step.tensor(0), step.sizes(1))


def _expand_dims(step: NodeImport) -> Any:
    return step.record("expand_dims", step.tensor(0), axis=step.number(1, "axes"))


def _squeeze(step: NodeImport) -> Any:
    name = "axis" if step.attrs.has("axis") else "squeeze_dims"
    return step.record("squeeze", step.tensor(0), axis=step.attrs.numbers(name, ()) or None)


def _ensure_shape(step: NodeImport) -> Any:
    return step.record("ensure_shape", step.tensor(0), shape=step.attrs.shape("shape"))


def _transpose(step: NodeImport) -> Any:
    order = step.numbers(1, "permutations")
    return step.record("transpose", step.tensor(0), perm=order)


def _broadcast_args(step: NodeImport) -> Any:
    return shape.broadcast_dynamic_shape(step.tensor(0), step.tensor(1))


# -- parts -----------------------------------------------------------------------------------------


def _pack(step: NodeImport) -> Any:
    return step.record("stack", *_tensors(step), axis=step.attrs.number("axis", 0))


def _unpack(step: NodeImport) -> Any:
    count, axis = step.attrs.number("num"), step.attrs.number("axis", 0)
    return list(step.record("unstack", step.tensor(0), num=count, axis=axis))


def _concat(step: NodeImport) -> Any:
    last = len(step.inputs) - 1
    return _joined(step, _tensors(step, 0, last), step.number(last, "axes"))


def _old_concat(step: NodeImport) -> Any:
    return _joined(step, _tensors(step, 1), step.number(0, "axes"))


def _joined(step: NodeImport, parts: list[Any], axis: int) -> Any:
    return parts[0] if len(parts) == 1 else step.record("concat", *parts, axis=axis)


def _split(step: NodeImport) -> Any:
    axis, count = step.number(0, "axes"), step.attrs.number("num_split")
    return list(step.record("split", step.tensor(1), sizes=count, axis=axis))


def _split_unequally(step: NodeImport) -> Any:
    step.attrs.skip("num_split")
    x, axis = step.tensor(0), step.number(2, "axes")
    return list(concatenation.split(x, list(step.numbers(1, "sizes of parts")), axis))


def _tile(step: NodeImport) -> Any:
    return concatenation.tile(step.tensor(0), step.sizes(1))


def _pad(step: NodeImport) -> Any:
    known = step.known(1)
    widths = step.tensor(1) if known is None else known.tolist()
    value = step.tensor(2) if len(step.inputs) > 2 else 0
    return padding.pad(step.tensor(0), widths, constant_values=value)


def _mirror_pad(step: NodeImport) -> Any:
    known = step.known(1)
    widths = step.tensor(1) if known is None else known.tolist()
    return padding.pad(step.tensor(0), widths, mode=step.attrs.text("mode"))


def _mirror_pad_gradient(step: NodeImport) -> Any:
    """Add the padding to the elements that it mirrored."""
    dy, widths = step.tensor(0), step.tensor(1)
    mode = step.attrs.text("mode").lower()
    before, after = step.record("unstack", widths, num=2, axis=1)
    sizes = step.record("shape", dy, out_type=widths.dtype)
    rest = step.record("subtract", step.record("subtract", sizes, before), after)
    like = indexing.slice(dy, before, rest)
    return step.record("unpadded", dy, like, widths, paddings=None, mode=mode)


def _reverse(step: NodeImport) -> Any:
    return step.record("reverse", step.tensor(0), axis=step.numbers(1, "axes"))


def _roll(step: NodeImport) -> Any:
    shift, axes = step.tensor(1), step.numbers(2, "axes")
    if shift.shape.rank == 0:
        shift = shape.reshape(shift, [1])
    return step.record("roll", step.tensor(0), shift, axis=axes)


def _reverse_sequence(step: NodeImport) -> Any:
    axes = {
        "seq_axis": step.attrs.number("seq_dim"),
        "batch_axis": step.attrs.number("batch_dim", 0),
    }
    return step.record("reverse_sequence", step.tensor(0), step.tensor(1), **axes)


# -- creation --------------------------------------------------------------------------------------


def _fill(step: NodeImport) -> Any:
    return creation.fill(step.sizes(0), step.tensor(1))


def _range(step: NodeImport) -> Any:
    return creation.range(*_tensors(step))


def _linspace(step: NodeImport) -> Any:
    start, stop = step.tensor(0), step.tensor(1)
    count = step.number(2, "numbers of elements")
    return step.record("linspace", start, stop, num=count, axis=0)


def _one_hot(step: NodeImport) -> Any:
    known = step.known(1)
    depth = step.tensor(1) if known is None else int(known)
    on, off = step.tensor(2), step.tensor(3)
    axis = step.attrs.number("axis", -1)
    return creation.one_hot(step.tensor(0), depth, on, off, axis, on.dtype)


def _empty(step: NodeImport) -> Any:
    step.attrs.skip("init")
    return creation.zeros(step.sizes(0), step.attrs.dtype("dtype"))


# -- blocks ----------------------------------------------------------------------------------------


def _space_to_batch(step: NodeImport) -> Any:
    blocks, margins = step.numbers(1, "block sizes"), step.static(2, "paddings")
    return space_to_batch(step.tensor(0), list(blocks), margins.tolist())


def _batch_to_space(step: NodeImport) -> Any:
    blocks, margins = step.numbers(1, "block sizes"), step.static(2, "crops")
    return batch_to_space(step.tensor(0), list(blocks), margins.tolist())


def _depth(function: Any) -> Rule:
    def rule(step: NodeImport) -> Any:
        size, order = step.attrs.number("block_size"), step.attrs.text("data_format", "NHWC")
        return function(step.tensor(0), size, order)

    return rule


def _partition(step: NodeImport) -> Any:
    count = step.attrs.number("num_partitions")
    data, parts = step.tensor(0), step.tensor(1)
    return list(step.record("dynamic_partition", data, parts, num_partitions=count))


def _stitch(step: NodeImport) -> Any:
    return step.record("dynamic_stitch", *_tensors(step))


def _difference(step: NodeImport) -> Any:
    """Return the elements of a vector that another one does not have, and their places."""
    x, y = step.tensor(0), step.tensor(1)
    is_found = reduce_any(step.record("equal", x[:, None], y[None]), 1)
    places = step.record("nonzero", step.record("logical_not", is_found))[:, 0]
    wanted = step.attrs.dtype("out_idx")
    return [gather(x, places), step.record("cast", places, dtype=wanted)]


def _gradient_axes(step: NodeImport) -> Any:
    """Return the axes along which each of two shapes is broadcast: those of size 1."""
    counts = [step.record("size", step.tensor(at), out_type=int32) for at in range(2)]
    rank = step.record("maximum", *counts)
    return [_axes_of_one(step, step.tensor(at), rank, counts[at]) for at in range(2)]


def _axes_of_one(step: NodeImport, sizes: Any, rank: Any, count: Any) -> Any:
    """Return the axes of size 1 of a shape, to which axes are added in front."""
    missing = step.record("subtract", rank, count)
    before = creation.fill(missing, step.constant(1, sizes.dtype))
    full = step.record("concat", before, sizes, axis=0)
    known = step.body.static.whole(full)
    if known is not None:
        return step.constant([at for at, size in enumerate(known) if size == 1], sizes.dtype)
    places = step.record("nonzero", step.record("equal", full, step.constant(1, sizes.dtype)))
    axes = step.record("cast", step.record("squeeze", places, axis=(1,)), dtype=sizes.dtype)
    step.body.static.broadcast[id(axes)] = axes, sizes
    return axes


def _where(step: NodeImport) -> Any:
    return step.record("nonzero", step.tensor(0))


RULES: dict[str, Rule] = {
    "BatchToSpaceND": _batch_to_space,
    "BroadcastArgs": _broadcast_args,
    "BroadcastGradientArgs": _gradient_axes,
    "BroadcastTo": _broadcast_to,
    "Concat": _old_concat,
    "ConcatV2": _concat,
    "Const": _const,
    "DepthToSpace": _depth(depth_to_space),
    "DynamicPartition": _partition,
    "DynamicStitch": _stitch,
    "Empty": _empty,
    "EnsureShape": _ensure_shape,
    "ExpandDims": _expand_dims,
    "Fill": _fill,
    "LinSpace": _linspace,
    "ListDiff": _difference,
    "MirrorPad": _mirror_pad,
    "MirrorPadGrad": _mirror_pad_gradient,
    "OneHot": _one_hot,
    "Pack": _pack,
    "Pad": _pad,
    "PadV2": _pad,
    "Placeholder": _placeholder,
    "Range": _range,
    "Rank": _rank,
    "Reshape": _reshape,
    "ReverseSequence": _reverse_sequence,
    "ReverseV2": _reverse,
    "Roll": _roll,
    "Shape": _shape("shape"),
    "ShapeN": _shapes,
    "Size": _shape("size"),
    "SpaceToBatchND": _space_to_batch,
    "SpaceToDepth": _depth(space_to_depth),
    "Split": _split,
    "SplitV": _split_unequally,
    "Squeeze": _squeeze,
    "Tile": _tile,
    "Transpose": _transpose,
    "Unpack": _unpack,
    "Where": _where,
}
